/** What the Tab key offers. The shells: shells.all.test.ts. */
import t from 'tap'
import { printCandidates } from '../../cli/completion/candidates.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { deskOf } from './command.ts'

const { env, file } = await deskOf(t)
const note = await file('my note.stub')
Object.assign(process.env, env)

/** What is offered for the last word, without texts about it. */
async function offered(shell: string, ...words: string[]): Promise<string[]> {
  let said = ''
  const { write } = process.stdout
  process.stdout.write = (text) => {
    said += text
    return true
  }
  try {
    await printCandidates([shell, ...words], ['convert', 'completion', 'ls'])
  } finally {
    process.stdout.write = write
  }
  return said
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0]!)
}

t.test('words, formats, options, values and names of results', async (t) => {
  const result = note.replace('.stub', '.b')
  for (const [words, expected] of [
    [['co'], ['convert', 'completion', ':files']],
    [['--recu'], ['--recursive']],
    [['completion', 'z'], ['zsh']],
    [['ls', 'st'], ['stub']],
    [['options', '--'], ['--json']],
    [['doctor', ''], ['']],
    [['convert', note, '--to', 'bu'], ['bust']],
    [[note, '--to=bu'], ['--to=bust']],
    [[note, '--from', 'bu'], ['bust']],
    [[note, '--from=bu'], ['--from=bust']],
    [[note, '-o', ''], [':files']],
    [
      [note, result],
      [`${result}ust`, ':files'],
    ],
    [[note, '--to', 'bust', '--fail', 'enc'], ['encrypted']],
    [[note, '--to', 'bust', '--sleep', ''], ['']],
    [[note, '--to', 'bust', '--recu'], ['--recursive']],
    [[note, '--to', 'bust', '--han'], ['--hang']],
    [[note, `${result}ust`, '--han'], ['--hang']],
  ] as const)
    t.strictSame(await offered('fish', ...words), expected, words.join(' '))
})

t.test('bash splits at signs, and gives words as they were typed', async (t) => {
  const typed = note.replace(' ', '\\ ')
  t.strictSame(await offered('bash', typed, '--to', '=', 'bu'), ['bust'])
  t.strictSame(await offered('bash', `'${note}'`, '--to', '='), ['stub', 'bust'])
  t.ok((await offered('bash', typed, typed.replace('stub', 'b'))).includes(note.replace('stub', 'bust')))
})

t.test('a list of targets is asked for what is read, options and --to for what is written', async (t) => {
  const format = (extension: string, readable: boolean) => ({ extension, readable, writable: !readable, targets: [] })
  const answer = JSON.stringify({ formats: [format('old', true), format('new', false)] })
  await using origin = await startOrigin((_req, res) => {
    res.setHeader('content-type', 'application/json').end(answer)
  })
  process.env.ATHANOR_URL = origin.base
  t.strictSame(await offered('fish', 'ls', ''), ['old'])
  t.strictSame(await offered('fish', 'options', ''), ['new'])
  t.strictSame(await offered('fish', '--from', ''), ['old'])
  t.strictSame(await offered('fish', '--to', ''), ['new'])
})

t.test('an error says nothing, and what the service once knew is offered', async (t) => {
  process.env.ATHANOR_URL = 'http://127.0.0.1:9'
  t.strictSame(await offered('fish', note, '--to', 'bu'), [''])
  process.env.ATHANOR_URL = 'nonsense'
  t.strictSame(await offered('fish', note, '--to', ''), [''])
})
