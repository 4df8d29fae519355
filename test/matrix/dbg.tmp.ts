import { sample } from '../fixtures/samples.ts'
import { boot } from './boot.ts'

await using m = await boot()
const [from, to] = process.argv.slice(2) as [string, string]
const pair = m.catalogue.pairs.get(`${from}>${to}`)!
const s = await sample(from)
try {
  await using made = await m.converter.convert({
    owner: 'u',
    source: s.path,
    pair: { ...pair, methods: [pair.methods[0]!] },
    intent: 'convert',
    options: m.options.complete(pair.plugin, to, 'convert', {}),
    name: 'x',
    size: 1,
    signal: AbortSignal.timeout(60000),
    report: () => {},
  })
  console.log(made.path, made.size)
} catch (e) {
  console.log(e)
}
