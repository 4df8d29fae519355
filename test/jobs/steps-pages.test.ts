import t from 'tap'
import type { Engine, Job, Step } from '../../kernel/contract.ts'
import { ConversionFailure } from '../../kernel/errors.ts'
import { runSteps } from '../../kernel/jobs/steps.ts'

const engine = (name: string): Engine => ({ name, binary: [name], version: [], argv: () => [] })
const [counter, painter, spare, packer] = ['counter', 'painter', 'spare', 'packer'].map(engine) as [
  Engine,
  Engine,
  Engine,
  Engine,
]

const job: Job = {
  from: 'pdf',
  to: 'svg',
  intent: 'convert',
  input: '/in/file.pdf',
  output: '/out/file.svg',
  pages: '/out/pages.zip',
  scratch: '/scratch',
  name: 'a',
  size: 1,
  options: {},
  signal: new AbortController().signal,
}

/** Returns the runs as `engine input output args`. The named engines refuse the file. */
async function ran(steps: readonly Step[], ...refusing: Engine[]): Promise<string[]> {
  const runs: string[] = []
  await runSteps(steps, job, {
    plugin: 'test',
    run: async (_, engine, args, files) => {
      runs.push([engine.name, files?.input, files?.output, ...args].join(' '))
      if (refusing.includes(engine)) throw new ConversionFailure('CONVERSION_ERROR', 'The file is damaged')
      return []
    },
    makeFolder: async () => {},
  })
  return runs
}

const count = (pages: number): Step => ({
  engine: counter,
  output: false,
  facts: () => ({ pages: Array.from({ length: pages }, () => ({})) }),
})

t.test('a step for each page knows its number, and a step for all pages knows their files', async (t) => {
  const steps = (pages: number): Step[] => [
    count(pages),
    { engine: painter, each: 'page', output: 'page-%03d.svg', args: (_, { number }) => [number] },
    { engine: packer, when: { pages: 'several' }, args: (_, { inputs }) => inputs },
  ]
  t.strictSame(await ran(steps(1)), ['counter /in/file.pdf /in/file.pdf', 'painter /in/file.pdf /out/file.svg 1'])
  t.strictSame((await ran(steps(2))).slice(1), [
    'painter /in/file.pdf /scratch/page-001.svg 1',
    'painter /in/file.pdf /scratch/page-002.svg 2',
    'packer /scratch/page-%03d.svg /out/file.svg /scratch/page-001.svg /scratch/page-002.svg',
  ])
})

t.test('a step that runs once reads the only page', async (t) => {
  const steps: Step[] = [{ engine: painter, each: 'page', output: 'page-%03d.svg' }, { engine: packer }]
  t.equal((await ran(steps))[1], 'packer /scratch/page-001.svg /out/file.svg')
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
  t.strictSame(await ran(steps, painter), [
    first,
    'painter /scratch/drawing.svg /out/file.svg',
    'spare /scratch/drawing.svg /scratch/slow.svg',
    'packer /scratch/slow.svg /out/file.svg',
  ])
})

t.test('a step that reads another file does not change the input of the next step', async (t) => {
  const steps: Step[] = [{ engine: painter, output: 'plain.txt' }, { ...count(1), input: 'source' }, { engine: packer }]
  t.strictSame((await ran(steps)).slice(1), [
    'counter /in/file.pdf /in/file.pdf',
    'packer /scratch/plain.txt /out/file.svg',
  ])
})

t.test('facts gets the files of its step, and an error in it ends the route', async (t) => {
  const told: Step = { engine: painter, output: 'a.svg', facts: (_lines, _job, { output }) => ({ more: { output } }) }
  t.equal(
    (await ran([told, { engine: packer, args: (_, { facts }) => [String(facts.more?.output)] }]))[1]?.slice(-14),
    '/scratch/a.svg',
  )
  const facts = () => {
    throw Object.assign(new Error('It is incomplete'), { code: 'CONVERSION_ERROR' })
  }
  await t.rejects(ran([{ engine: painter, output: 'a.svg', optional: true, facts }, { engine: spare }]), /incomplete/)
})
