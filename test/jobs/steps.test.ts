/** Routes of several steps: programs in a real sandbox, run by the converter. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Args, Engine, Plugin, Step } from '../../kernel/contract.ts'
import { createConverter } from '../../kernel/jobs/converter.ts'
import { makeSource, startSandboxes } from '../harness/sandboxes.ts'

/** Runs a shell script with its input in $1 and its output in $2. */
const shell = (name: string): Engine => ({
  name,
  binary: ['sh'],
  version: [],
  argv: (job, [script = '', ...args]) => ['-c', script, name, job.input, job.output, args],
})
const a = shell('a')
const b = shell('b')
const copy = 'cat "$1" > "$2"; printf %s'
const add = (letter: string, engine = a): Pick<Step, 'engine'> & { args: () => Args } => ({
  engine,
  args: () => [`${copy} ${letter} >> "$2"`],
})
/** Appends to the existing file. */
const mark = (letter: string) => ({ engine: b, args: () => [`printf %s ${letter} >> "$1"`] })

async function setUp(t: Parameters<typeof startSandboxes>[0]) {
  const { sandboxes, dataDir } = await startSandboxes(t)
  const plugin: Plugin = { category: 'test', formats: {}, options: {}, routes: [] }
  const converter = createConverter({
    catalogue: { pairs: new Map() },
    probes: new Map([a, b].map((engine) => [engine, { path: '/usr/bin/sh' }] as const)),
    sandboxes,
    options: { complete: () => ({}) },
    verify: async () => true,
  })
  const source = await makeSource(dataDir, '0')
  return async (steps: readonly Step[], options: object = {}, from = 'src', to = 'txt', light = false) => {
    const pair = { from, to, methods: [{ route: { from: [from], to: [to], steps }, plugin }] }
    await using made = await converter.convert({
      owner: 'o',
      pair,
      intent: 'convert',
      options,
      name: 'n',
      size: 1,
      report: () => {},
      source,
      light,
      signal: AbortSignal.timeout(120_000),
    })
    return { text: await readFile(made.path, 'utf8'), paged: made.paged }
  }
}

t.test('each step reads the output of the previous one, and the last one writes the result', async (t) => {
  const convert = await setUp(t)
  const steps = [
    { ...add('1'), output: 'one.txt' },
    { ...add('2'), output: 'two.txt' },
  ]
  t.equal((await convert([...steps, add('3')])).text, '0123')
  t.equal((await convert([...steps, { ...add('3'), input: 'one.txt' }])).text, '013')
  t.equal((await convert([...steps, { ...add('3'), input: 'source' }])).text, '03')
})

t.test('conditions skip steps, and the last remaining step writes the result', async (t) => {
  const convert = await setUp(t)
  const strip = { ...add('s'), when: { options: { metadata: ['remove'] } } }
  const steps = [{ ...add('1'), output: 'described.txt' }, strip]
  t.equal((await convert(steps, { metadata: 'remove' })).text, '01s')
  t.equal((await convert(steps, { metadata: 'keep' })).text, '01')
  t.equal((await convert(steps)).text, '01')
  const only = (when: Step['when']) => [{ ...add('w'), when, output: 'when.txt' }, add('e')]
  t.equal((await convert(only({ from: ['src'], to: ['txt'] }))).text, '0we')
  t.equal((await convert(only({ from: ['other'] }))).text, '0e')
  t.equal((await convert(only({ to: ['other'] }))).text, '0e')
  t.equal((await convert(only({ options: { width: [undefined] } }), { width: 3 })).text, '0e')
  t.equal((await convert(only({ not: { options: { width: [undefined] } } }), { width: 3 })).text, '0we')
})

t.test('a light job does not reach a heavy step', async (t) => {
  const convert = await setUp(t)
  const heavy = { options: { width: [3] } }
  const steps = [{ ...add('1'), output: 'one.txt' }, { ...add('h'), heavy, optional: true, output: 'h.txt' }, add('e')]
  t.equal((await convert(steps, { width: 3 })).text, '01he')
  t.equal((await convert(steps, { width: 2 }, 'src', 'txt', true)).text, '01he')
  await t.rejects(convert(steps, { width: 3 }, 'src', 'txt', true), { name: 'NeedsHeavy' }, 'also an optional one')
  const skipped = steps.map((step) => ({ ...step, heavy: {}, when: { options: { width: [3] } } }))
  t.equal((await convert([...skipped, add('f')], { width: 2 }, 'src', 'txt', true)).text, '0f')
})

t.test('a step without an output only reads, or changes the latest file in place', async (t) => {
  const convert = await setUp(t)
  const look: Step = {
    engine: a,
    args: () => ['echo moving'],
    output: false,
    facts: (lines) => ({ moving: lines.includes('moving'), more: { letter: 'x' } }),
  }
  const steps: Step[] = [
    look,
    { ...add('m'), when: { moving: true }, output: 'moving.txt' },
    { ...add('s'), when: { moving: false }, output: 'still.txt' },
    { engine: a, args: (_, { facts }) => [`${copy} ${(facts.more as { letter: string }).letter} >> "$2"`] },
    { ...mark('!'), output: false },
  ]
  t.equal((await convert(steps)).text, '0mx!')
})

t.test('a step for each page runs once per page; a last step combines several pages', async (t) => {
  const convert = await setUp(t)
  const split = (count: number): Step => ({
    engine: a,
    convert: async (_job, run, now) => {
      await run(a, [`for n in $(seq ${count}); do printf %s "p$n" > "$(printf "$2" "$n")"; done`])
      t.equal(now.output, '/scratch/pages/%03d.txt')
      return { pages: Array.from({ length: count }, (_, index) => ({ width: index + 1 })) }
    },
    output: 'pages/%03d.txt',
  })
  const each: Step = {
    engine: b,
    each: 'page',
    output: 'made-%03d.{to}',
    args: (_, { page }) => [`${copy} w${page.width} >> "$2"`],
  }
  const pack: Step = {
    engine: a,
    when: { pages: 'several' },
    args: (job) => [`cat /scratch/made-*.txt > ${job.pages}`],
  }
  t.same(await convert([split(1), each, pack]), { text: 'p1w1', paged: false })
  t.same(await convert([split(3), each, pack]), { text: 'p1w1p2w2p3w3', paged: true })
})

t.test('a folder exists before the step that fills it', async (t) => {
  const convert = await setUp(t)
  const fill: Step = { engine: a, args: () => ['printf 1 > "$2/1"; printf 2 > "$2/2"'], output: 'parts/' }
  t.equal((await convert([fill, { engine: b, args: () => ['cat "$1"/* > "$2"'] }])).text, '12')
})

t.test('a refusal by an optional step is no failure, by another step it is', async (t) => {
  const convert = await setUp(t)
  const refuses: Step = { engine: b, args: () => ['exit 3'], output: false }
  t.equal((await convert([add('1'), { ...refuses, optional: true }])).text, '01')
  await t.rejects(convert([add('1'), refuses]), { code: 'CONVERSION_ERROR' })
  const hungry: Step = { engine: b, args: () => ['yes | head -c 100M > /scratch/filled; exit 3'], output: false }
  await t.rejects(convert([add('1'), { ...hungry, optional: true }]), { code: 'RESOURCE_LIMIT' })
})

t.test('a fault of the plugin in a step is no refusal, and the log names the step', async (t) => {
  const convert = await setUp(t)
  const broken = () => {
    throw new Error('of the plugin')
  }
  for (const step of [
    { engine: b, args: broken },
    { engine: b, args: () => ['true'], facts: broken },
    { engine: b, convert: broken },
  ] as Step[]) {
    const failed = convert([{ ...step, optional: true, output: false }, add('1')])
    await t.rejects(failed, { code: 'INTERNAL_SERVER_ERROR', origin: { plugin: 'test', engine: 'b' } })
  }
})
