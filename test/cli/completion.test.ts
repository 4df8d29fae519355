/** The Tab key, in the shells that people use. */
import { spawn } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { program as run } from '../fixtures/program.ts'
import { until } from '../harness/until.ts'
import { deskOf, finished, program, start } from './command.ts'

async function shellDesk(t: Test) {
  const desk = await deskOf(t)
  await desk.file('note.stub')
  await desk.file('my note.stub')
  await desk.file('other.txt')
  await symlink(program, desk.path('athanor'))
  const own = { PATH: `${desk.folder}:${process.env.PATH}`, HOME: desk.folder, ZDOTDIR: desk.folder }
  return { ...desk, env: { ...desk.env, ...own, TERM: 'dumb', LC_ALL: 'C.UTF-8' } }
}

/** Lines as they are typed, up to the Tab key, and what the shell makes of them. */
const typed: Readonly<Record<string, string>> = {
  'athanor note.stub --to bu': 'athanor note.stub --to bust',
  'athanor note.stub --to=bu': 'athanor note.stub --to=bust',
  'athanor note.stub note.b': 'athanor note.stub note.bust',
  'athanor my\\ note.stub my\\ note.b': 'athanor my\\ note.stub my\\ note.bust',
  'athanor comp': 'athanor completion',
  'athanor oth': 'athanor other.txt',
  'athanor note.stub --to bust --fail enc': 'athanor note.stub --to bust --fail encrypted',
  'athanor note.stub --to bust --recu': 'athanor note.stub --to bust --recursive',
  'athanor note.stub --to bust --stubb': 'athanor note.stub --to bust --stubborn',
  'athanor ls st': 'athanor ls stub',
}

/** Types the lines into a shell on a terminal. */
async function press(t: Test, shell: string, { env, folder }: { env: Record<string, string>; folder: string }) {
  const child = spawn('script', ['-qec', shell, '/dev/null'], { cwd: folder, env })
  let shown = ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
  })
  t.teardown(() => child.kill('SIGKILL'))
  await until(() => shown.includes('READY> '))
  for (const [line, completed] of Object.entries(typed)) {
    shown = ''
    child.stdin.write(`${line}\t`)
    // Shells print only what is new, sometimes after moving the cursor.
    const rest = completed.slice(line.length)
    await until(() => shown.replaceAll('\x07', '').includes(`${line}${rest}`), 20_000).catch(() => {})
    t.match(shown.replaceAll('\x07', ''), `${line}${rest}`, completed)
    child.stdin.write('\x15')
  }
  child.stdin.end('exit\n')
}

t.test('bash', async (t) => {
  const desk = await shellDesk(t)
  const rc = desk.path('.bashrc')
  await writeFile(rc, "PS1='READY> '\nbind 'set enable-bracketed-paste off'\neval \"$(athanor completion bash)\"\n")
  await press(t, `bash --noprofile --rcfile ${rc} -i`, desk)
})

t.test('zsh', async (t) => {
  await run('zsh', '--version')
  const desk = await shellDesk(t)
  const lines = ["PS1='READY> '", 'unset zle_bracketed_paste', 'autoload -Uz compinit', 'compinit -D -u']
  await writeFile(desk.path('.zshrc'), `${lines.join('\n')}\neval "$(athanor completion zsh)"\n`)
  await press(t, 'zsh -i', desk)
})

t.test('fish', async (t) => {
  await run('fish', '--version')
  const { env, folder } = await shellDesk(t)
  const asked = Object.keys(typed).map((line) => `echo READY; complete -C ${JSON.stringify(line)}`)
  const script = ['athanor completion fish | source', ...asked].join('\n')
  const { stdout } = await finished(spawn('fish', ['-N', '-c', script], { cwd: folder, env }))
  const [, ...answers] = stdout.toString().split('READY\n')
  for (const [index, completed] of Object.values(typed).entries()) {
    const words = answers[index]!.split('\n').map((word) => word.split('\t')[0])
    t.ok(words.includes(completed.split(/(?<!\\) /).at(-1)), `${completed}: ${words}`)
  }
})

t.test('an error says nothing', async (t) => {
  const { env, file } = await deskOf(t)
  const note = await file('note.stub')
  for (const url of ['http://127.0.0.1:9', 'nonsense']) {
    const ended = await finished(start({ ...env, ATHANOR_URL: url }, '--candidates', 'fish', note, '--to', ''))
    t.match({ ...ended, stdout: ended.stdout.toString() }, { code: 0, stdout: '', stderr: '' })
  }
})
