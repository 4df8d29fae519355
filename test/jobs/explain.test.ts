import t from 'tap'
import type { Plugin, Step } from '../../kernel/contract.ts'
import { explainPair } from '../../kernel/jobs/explain.ts'

const engine = (name: string): Step['engine'] => ({
  name,
  binary: [name],
  version: [],
  argv: (job, args) => [args, job.input, job.output],
})
const reader = engine('reader')
const looker = engine('looker')
const writer = engine('writer')
const plugin: Plugin = { category: 'test', formats: {}, options: {}, routes: [] }

/** Describes each step as `engine input output`, and its condition. */
function explained(steps: readonly Step[], from = 'md', to = 'docx'): string[] {
  const pair = {
    from,
    to,
    plugin,
    closed: false,
    obstacles: [],
    methods: [{ route: { from: [from], to: [to], steps }, plugin }],
  }
  const [way] = explainPair({ pairs: new Map() }, { complete: () => ({}) }, pair)
  return way!.legs[0]!.steps.map(({ engine, command, when }) =>
    [engine, ...command!, ...(when ? [`if ${when}`] : [])].join(' '),
  )
}

const steps = (optional: boolean): Step[] => [
  { engine: reader, when: { to: ['docx'], not: { from: ['ipynb'] } }, output: 'tree.json', optional },
  { engine: looker, input: 'source', output: false },
  { engine: writer, when: { written: 'tree.json' }, output: 'text.docx' },
  { engine: writer, when: { not: { written: 'tree.json' } } },
]

t.test('omits steps that cannot run, and conditions that are always true', async (t) => {
  const look = 'looker /in/file.md /in/file.md'
  t.strictSame(explained(steps(false)), [
    'reader /in/file.md /scratch/tree.json',
    look,
    'writer /scratch/tree.json /out/file.docx',
  ])
  t.strictSame(explained(steps(false), 'md', 'rtf'), [look, 'writer /in/file.md /out/file.rtf'])
  t.strictSame(explained(steps(false), 'ipynb'), [
    look.replaceAll('md', 'ipynb'),
    'writer /in/file.ipynb /out/file.docx',
  ])
})

t.test('a step that replaces an optional one has its condition', async (t) => {
  t.match(explained(steps(true)), [
    'reader',
    'looker',
    /^writer .* if tree\.json was written$/,
    /^writer .* if not \(tree\.json was written\)$/,
  ])
})
