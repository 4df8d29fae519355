/** The Tab key, in the shells that people use. */
import { spawn } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { program as run } from '../fixtures/program.ts'
import { until } from '../harness/until.ts'
import { deskOf, finished, program } from './command.ts'

const desk = await deskOf(t)
for (const name of ['note.stub', 'my note.stub', 'other.txt']) await desk.file(name)
await symlink(program, desk.path('athanor'))
const PATH = `${desk.folder}:${process.env.PATH}`
const env = { ...desk.env, PATH, HOME: desk.folder, ZDOTDIR: desk.folder, TERM: 'dumb', LC_ALL: 'C.UTF-8' }

/** Lines as they are typed, up to the Tab key, and what the shell makes of them. */
const TYPED: Readonly<Record<string, string>> = {
  'athanor note.stub --to bu': 'athanor note.stub --to bust',
  'athanor note.stub --to=bu': 'athanor note.stub --to=bust',
  'athanor my\\ note.stub my\\ note.b': 'athanor my\\ note.stub my\\ note.bust',
  'athanor comp': 'athanor completion',
  'athanor oth': 'athanor other.txt',
  'athanor note.stub --to bust --fail enc': 'athanor note.stub --to bust --fail encrypted',
}

/** Types the lines into a shell on a terminal. */
async function press(t: Test, shell: string) {
  const child = spawn('script', ['-qec', shell, '/dev/null'], { cwd: desk.folder, env })
  let shown = ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
  })
  t.teardown(() => child.kill('SIGKILL'))
  await until(() => shown.includes('READY> '))
  for (const [line, completed] of Object.entries(TYPED)) {
    shown = ''
    child.stdin.write(`${line}\t`)
    // Shells print only what is new, sometimes after moving the cursor.
    const rest = completed.slice(line.length)
    await until(() => shown.replaceAll('\x07', '').includes(`${line}${rest}`)).catch(() => {})
    t.match(shown.replaceAll('\x07', ''), `${line}${rest}`, completed)
    child.stdin.write('\x15')
  }
  child.stdin.end('exit\n')
}

t.test('bash', async (t) => {
  const rc = desk.path('.bashrc')
  await writeFile(rc, "PS1='READY> '\nbind 'set enable-bracketed-paste off'\neval \"$(athanor completion bash)\"\n")
  await press(t, `bash --noprofile --rcfile ${rc} -i`)
})

t.test('zsh', async (t) => {
  await run('zsh', '--version')
  const lines = ["PS1='READY> '", 'unset zle_bracketed_paste', 'autoload -Uz compinit', 'compinit -D -u']
  await writeFile(desk.path('.zshrc'), `${lines.join('\n')}\neval "$(athanor completion zsh)"\n`)
  await press(t, 'zsh -i')
})

t.test('fish', async (t) => {
  await run('fish', '--version')
  const asked = Object.keys(TYPED).map((line) => `echo READY; complete -C ${JSON.stringify(line)}`)
  const script = ['athanor completion fish | source', ...asked].join('\n')
  const { stdout } = await finished(spawn('fish', ['-N', '-c', script], { cwd: desk.folder, env }))
  const [, ...answers] = stdout.toString().split('READY\n')
  for (const [index, completed] of Object.values(TYPED).entries()) {
    const words = answers[index]!.split('\n').map((word) => word.split('\t')[0])
    t.ok(words.includes(completed.split(/(?<!\\) /).at(-1)), `${completed}: ${words}`)
  }
})
