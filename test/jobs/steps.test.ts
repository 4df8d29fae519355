/** Routes of several steps. Answers take the place of programs; `converter.test.ts` runs real ones. */
import t from 'tap'
import { faultsOf } from '../../kernel/catalogue/manifest/faults.ts'
import { unrunJob } from '../../kernel/catalogue/manifest/route.ts'
import type { Engine, Job, Step } from '../../kernel/contract.ts'
import { ConversionFailure } from '../../kernel/errors.ts'
import { holds, runSteps } from '../../kernel/jobs/steps.ts'

const engine = (name: string): Engine => ({ name, binary: [name], version: [], argv: () => [] })
const counter = engine('counter')
const painter = engine('painter')
const spare = engine('spare')
const packer = engine('packer')
const job: Job = unrunJob({ from: 'pdf', to: 'svg', options: { width: 3 } })

interface How {
  job?: Partial<Job>
  light?: boolean
  /** How engines refuse, by name. */
  refusals?: Record<string, ConversionFailure['code']>
}

/** Returns the runs as `engine input output args`, and the folders that were made. */
async function follow(steps: readonly Step[], { job: change = {}, light = false, refusals = {} }: How = {}) {
  const runs: string[] = []
  const folders: string[] = []
  await runSteps(
    steps,
    { ...job, ...change },
    {
      plugin: 'test',
      light,
      run: async (_, { name }, args, files) => {
        runs.push([name, files?.input, files?.output, ...args].join(' '))
        const code = refusals[name]
        if (code) throw new ConversionFailure(code, 'The file is damaged')
        return args as string[]
      },
      makeFolder: async (name) => void folders.push(name),
    },
  )
  return { runs, folders }
}

const ran = async (steps: readonly Step[], how?: How) => (await follow(steps, how)).runs

const count = (pages: number): Step => ({
  engine: counter,
  output: false,
  facts: () => ({ pages: Array.from({ length: pages }, (_, at) => ({ width: at + 1 })) }),
})

t.test('each step reads what the one before it wrote, and the last one writes the result', async (t) => {
  const steps = (input?: string): Step[] => [
    { engine: counter, output: 'one.{to}' },
    { engine: painter, output: 'two.{from}' },
    { engine: packer, ...(input && { input }) },
  ]
  t.strictSame(await ran(steps()), [
    'counter /in/file.pdf /scratch/one.svg',
    'painter /scratch/one.svg /scratch/two.pdf',
    'packer /scratch/two.pdf /out/file.svg',
  ])
  t.equal((await ran(steps('one.svg')))[2], 'packer /scratch/one.svg /out/file.svg')
  t.equal((await ran(steps('source')))[2], 'packer /in/file.pdf /out/file.svg')
  const reads: Step[] = [{ engine: painter, output: 'plain.txt' }, { ...count(1), input: 'source' }, { engine: packer }]
  t.strictSame(
    (await ran(reads)).slice(1),
    ['counter /in/file.pdf /in/file.pdf', 'packer /scratch/plain.txt /out/file.svg'],
    'one that only reads another file changes nothing for the next',
  )
  await t.rejects(ran([{ engine: painter }, { engine: packer }]), /names no output/)
})

t.test('conditions', async (t) => {
  const facts = { pages: [{}], moving: true, more: { ink: true, planes: 3 } }
  const cases: [when: Step['when'], expected: boolean][] = [
    [undefined, true],
    [{ from: ['pdf'], to: ['svg'] }, true],
    [{ from: ['svg'] }, false],
    [{ to: ['pdf'] }, false],
    [{ options: { width: [2, 3] } }, true],
    [{ options: { width: [undefined] } }, false],
    [{ options: { height: [undefined] } }, true],
    [{ not: { options: { width: [undefined] } } }, true],
    [{ moving: true }, true],
    [{ moving: false }, false],
    [{ pages: 'one' }, true],
    [{ pages: 'several' }, false],
    [{ more: { ink: [true], planes: [1, 3] } }, true],
    [{ more: { ink: [true], planes: [1] } }, false],
    [{ more: { other: [undefined] } }, true],
    [{ written: 'a.svg' }, true],
    [{ written: 'b.svg' }, false],
  ]
  for (const [when, expected] of cases) t.equal(holds(when, job, facts, ['a.svg']), expected, JSON.stringify(when))
  const skipped: Step[] = [
    { engine: painter, output: 'a.svg' },
    { engine: packer, when: { to: ['pdf'] } },
  ]
  t.strictSame(await ran(skipped), ['painter /in/file.pdf /out/file.svg'], 'the last remaining step writes the result')
})

t.test('facts of steps add up, and are known to later steps only', async (t) => {
  const tells = (more: Record<string, unknown>): Step => ({ engine: counter, output: false, facts: () => ({ more }) })
  const says = (engine: Engine, when: Step['when']): Step => ({ engine, when, output: false })
  const runs = await ran([
    says(spare, { more: { ink: [undefined] } }),
    tells({ ink: true }),
    tells({ planes: 3 }),
    says(packer, { more: { ink: [true], planes: [3] } }),
    { engine: painter, args: (_, { facts }) => [String(facts.more?.planes)] },
  ])
  t.strictSame(
    runs.map((run) => run.split(' ')[0]),
    ['spare', 'counter', 'counter', 'packer', 'painter'],
  )
  t.equal(runs.at(-1), 'painter /in/file.pdf /out/file.svg 3')
})

t.test('a light job does not reach a heavy step', async (t) => {
  const heavy = { options: { width: [3] } }
  const steps: Step[] = [{ engine: counter, heavy, optional: true, output: 'one.svg' }, { engine: packer }]
  t.equal((await ran(steps)).length, 2)
  t.equal((await ran(steps, { light: true, job: { options: {} } })).length, 2)
  await t.rejects(ran(steps, { light: true }), { name: 'NeedsHeavy' }, 'also an optional one')
  const skipped = steps.map((step) => ({ ...step, when: { to: ['txt'] } }))
  t.strictSame(await ran([...skipped, { engine: painter }], { light: true }), ['painter /in/file.pdf /out/file.svg'])
})

t.test('a step for each page knows its number, and a step for all pages knows their files', async (t) => {
  const steps = (pages: number): Step[] => [
    count(pages),
    { engine: painter, each: 'page', output: 'page-%03d.svg', args: (_, { number, page }) => [number, page.width] },
    { engine: packer, when: { pages: 'several' }, args: (_, { inputs }) => inputs },
  ]
  t.strictSame((await ran(steps(1))).slice(1), ['painter /in/file.pdf /out/file.svg 1 1'])
  t.strictSame((await ran(steps(2))).slice(1), [
    'painter /in/file.pdf /scratch/page-001.svg 1 1',
    'painter /in/file.pdf /scratch/page-002.svg 2 2',
    'packer /scratch/page-%03d.svg /out/file.svg /scratch/page-001.svg /scratch/page-002.svg',
  ])
  const single: Step[] = [{ engine: painter, each: 'page', output: 'page-%03d.svg' }, { engine: packer }]
  t.equal(
    (await ran(single))[1],
    'packer /scratch/page-001.svg /out/file.svg',
    'one that runs once reads the only page',
  )
  const into: Step[] = [count(2), { engine: painter, each: 'page', output: 'page.svg' }, { engine: packer }]
  await t.rejects(ran(into), /writes several pages into one file/)
})

t.test('a step reads the folder that an earlier step wrote to, by name or by a prefix of names', async (t) => {
  const { runs, folders } = await follow([
    { engine: painter, output: 'pages/page' },
    { engine: packer, input: 'pages/' },
  ])
  t.strictSame(runs, ['painter /in/file.pdf /scratch/pages/page', 'packer /scratch/pages /out/file.svg'])
  t.strictSame(folders, ['pages'])
})

t.test('a step replaces an optional one that refused the file', async (t) => {
  const steps: Step[] = [
    { engine: counter, output: 'drawing.svg' },
    { engine: painter, output: 'fast.svg', optional: true },
    { engine: spare, when: { not: { written: 'fast.svg' } }, output: 'slow.svg' },
    { engine: packer, when: { written: 'slow.svg' } },
  ]
  const first = 'counter /in/file.pdf /scratch/drawing.svg'
  t.strictSame(await ran(steps), [first, 'painter /scratch/drawing.svg /out/file.svg'])
  t.strictSame(await ran(steps, { refusals: { painter: 'CONVERSION_ERROR' } }), [
    first,
    'painter /scratch/drawing.svg /out/file.svg',
    'spare /scratch/drawing.svg /scratch/slow.svg',
    'packer /scratch/slow.svg /out/file.svg',
  ])
  await t.rejects(ran(steps, { refusals: { counter: 'CONVERSION_ERROR' } }), { code: 'CONVERSION_ERROR' })
  await t.rejects(ran(steps, { refusals: { painter: 'RESOURCE_LIMIT' } }), { code: 'RESOURCE_LIMIT' })
})

t.test('facts gets the files of its step, and an error in it ends the route', async (t) => {
  const told: Step = { engine: painter, output: 'a.svg', facts: (_lines, _job, { output }) => ({ more: { output } }) }
  const runs = await ran([told, { engine: packer, args: (_, { facts }) => [String(facts.more?.output)] }])
  t.equal(runs[1], 'packer /scratch/a.svg /out/file.svg /scratch/a.svg')
  const facts = () => {
    throw Object.assign(new Error('It is incomplete'), { code: 'CONVERSION_ERROR' })
  }
  await t.rejects(ran([{ engine: painter, output: 'a.svg', optional: true, facts }, { engine: spare }]), /incomplete/)
})

t.test('a fault of the plugin in a step is no refusal, and the log names the step', async (t) => {
  const broken = () => {
    throw new Error('of the plugin')
  }
  const steps: Record<string, Step> = {
    args: { engine: spare, args: broken },
    facts: { engine: spare, args: () => ['true'], facts: broken },
    convert: { engine: spare, convert: broken },
  }
  for (const [hook, step] of Object.entries(steps)) {
    const failed = ran([{ ...step, optional: true, output: false }, { engine: packer }])
    const origin = { plugin: 'test', engine: 'spare', hook }
    await t.rejects(failed, { code: 'INTERNAL_SERVER_ERROR', origin }, hook)
  }
})

t.test('a manifest with such steps has no faults, unless they do not fit together', async (t) => {
  const faults = (steps: readonly object[]) =>
    faultsOf({
      category: 'test',
      formats: { txt: { mime: 'text/plain' } },
      options: {},
      routes: [{ from: ['src'], to: ['txt'], steps }],
    })
  const write = { engine: painter, args: () => [], output: 'pages/page' }
  t.strictSame(faults([write, { engine: packer, input: 'pages/', when: { more: { ink: [true] } } }]), [])
  t.match(faults([write, { engine: packer, input: 'other/' }]), [/no earlier step writes "other\/"/])
  t.match(faults([write, { engine: packer, when: { more: { ink: [] } } }]), [/more.ink.*a list of one or more values/])
})
