/** Facts that steps pass on, and places of their files. The engines are fakes. */
import t from 'tap'
import { faultsOf } from '../../kernel/catalogue/manifest/faults.ts'
import type { Engine, Job, Step } from '../../kernel/contract.ts'
import { runSteps } from '../../kernel/jobs/steps.ts'

const engine: Engine = { name: 'a', binary: ['a'], version: [], argv: (job, args) => [args, job.input, job.output] }
const job: Job = {
  from: 'src',
  to: 'txt',
  intent: 'convert',
  name: 'n',
  size: 1,
  options: {},
  pages: '/out/pages.zip',
  input: '/in/file.src',
  output: '/out/file.txt',
  scratch: '/scratch',
  signal: new AbortController().signal,
}

/** Runs steps with an engine that prints its arguments; returns each run as words, and the created folders. */
async function follow(steps: readonly Step[]) {
  const runs: string[] = []
  const folders: string[] = []
  await runSteps(steps, job, {
    plugin: 'test',
    makeFolder: async (name) => void folders.push(name),
    run: async (_job, _engine, args, files) => {
      runs.push([...args, files?.input, files?.output].join(' '))
      return args as string[]
    },
  })
  return { runs, folders }
}

const tells = (more: Record<string, unknown>): Step => ({
  engine,
  args: () => ['tell'],
  output: false,
  facts: () => ({ more }),
})
const says = (word: string, when: Step['when']): Step => ({ engine, args: () => [word], when, output: false })

t.test('a condition reads facts of earlier steps, and facts accumulate', async (t) => {
  const { runs } = await follow([
    says('before', { more: { ink: [undefined] } }),
    tells({ ink: true }),
    tells({ planes: 3 }),
    says('ink', { more: { ink: [true] } }),
    says('both', { more: { ink: [true], planes: [1, 3] } }),
    says('never', { more: { ink: [false, undefined] } }),
    says('neither', { not: { more: { planes: [3] } } }),
    { engine, args: () => ['end'] },
  ])
  t.strictSame(
    runs.map((run) => run.split(' ')[0]),
    ['before', 'tell', 'tell', 'ink', 'both', 'end'],
  )
})

t.test('a step reads the folder that an earlier step wrote to, by name or by a prefix of names', async (t) => {
  const { runs, folders } = await follow([
    { engine, args: () => ['write'], output: 'pages/page' },
    { engine, args: () => ['read'], input: 'pages/' },
  ])
  t.strictSame(runs, ['write /in/file.src /scratch/pages/page', 'read /scratch/pages /out/file.txt'])
  t.strictSame(folders, ['pages'])
})

t.test('the check of a manifest covers both', async (t) => {
  const faults = (steps: readonly object[]) =>
    faultsOf({
      category: 'test',
      formats: { txt: { mime: 'text/plain' } },
      options: {},
      routes: [{ from: ['src'], to: ['txt'], steps }],
    })
  const write = { engine, args: () => [], output: 'pages/page' }
  t.strictSame(faults([write, { engine, input: 'pages/', when: { more: { ink: [true] } } }]), [])
  t.match(faults([write, { engine, input: 'other/' }]), [/no earlier step writes "other\/"/])
  t.match(faults([write, { engine, when: { more: { ink: [] } } }]), [/more.ink.*a list of one or more values/])
})
