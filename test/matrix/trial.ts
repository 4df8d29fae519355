import { stat } from 'node:fs/promises'
import type { Sample } from '../fixtures/sample.ts'
import { sample, samples } from '../fixtures/samples.ts'
import type { Machine } from '../harness/machine.ts'
import { type Case, engineOf } from './cases.ts'
import { type Result, reasonOf } from './runner.ts'
import type { Verdict } from './verdict.ts'
import { verifierOf } from './verify.ts'

/** How one case ended. */
export interface Outcome extends Result, Verdict {
  /** Milliseconds of the conversion itself. */
  milliseconds: number
}

/** Time limit of one conversion in milliseconds. */
const LIMIT = 300_000

/** Converts a sample of a pair's source by one route, and verifies the result. Never rejects. */
export async function tryCase(machine: Machine, one: Case): Promise<Outcome> {
  const { key, pair, method } = one
  const known = { key, engine: engineOf(one), complaints: [] }
  const started = Date.now()
  const { category } = pair.plugin
  try {
    // Later routes may apply to other kinds of files only.
    const sources =
      method === pair.methods[0]
        ? [await sample(pair.from, category, pair.to)]
        : await samples(pair.from, category, pair.to)
    const failures: unknown[] = []
    for (const source of sources)
      try {
        return { ...known, passed: true, ...(await convert(machine, one, source)) }
      } catch (error) {
        failures.push(error)
      }
    throw failures.at(-1)
  } catch (error) {
    return { ...known, passed: false, milliseconds: Date.now() - started, complaints: [reasonOf(error)] }
  }
}

async function convert(machine: Machine, { pair, method }: Case, source: Sample) {
  const { converter, options } = machine
  const verify = verifierOf(pair.plugin.category)
  const intent = pair.from === pair.to ? 'transform' : 'convert'
  const { size } = await stat(source.path)
  const started = Date.now()
  await using made = await converter.convert({
    owner: 'user_matrix',
    source: source.path,
    pair: { ...pair, methods: [method] },
    intent,
    options: options.complete(pair.plugin, pair.to, intent, {}),
    name: 'picture',
    size,
    signal: AbortSignal.timeout(LIMIT),
    report: () => {},
  })
  const milliseconds = Date.now() - started
  if (made.paged && source.content === 'picture') throw new Error('a zip of pages instead of one file')
  if (intent === 'transform' && made.size > size) throw new Error(`${made.size} bytes out of ${size}`)
  const format = made.paged ? 'zip' : pair.to
  if (!(await machine.verify(made.path, format)))
    throw new Error(`the result is detected as ${await machine.detect(made.path, format)}`)
  return { milliseconds, ...(await verify(made.path, pair.to, source)) }
}
