/** The command line as a process: pipes, terminals and signals. */
import { spawn } from 'node:child_process'
import { readdir, symlink } from 'node:fs/promises'
import t from 'tap'
import { get, STUB } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { deskAt, deskOf, finished, program, start } from './command.ts'

const { service } = await deskOf(t)

t.test('a pipe in and out', async (t) => {
  const { env, file, path } = await deskAt(t, service)
  const run = async (input: string, ...args: string[]) => {
    const child = start(env, ...args)
    child.stdin!.end(input)
    const { stdout, ...rest } = await finished(child)
    return { ...rest, stdout: stdout.toString() }
  }
  t.match(await run(STUB, '-', '--to', 'bust'), { code: 0, stdout: /^BUST/, stderr: '' })
  t.match(await run(STUB, '-', '-o', path('in.bust')), { code: 0, stdout: `- -> ${path('in.bust')}\n` })
  t.match(await run('', await file('a.stub'), '--to', 'bust', '-o', '-'), { code: 0, stdout: /^BUST/ })
  t.match(await run('Not a stub', '-', '--to', 'bust'), { code: 1, stdout: '', stderr: /^athanor: -: / })
  t.match(await run('', '-', '--to', 'bust'), { code: 1, stdout: '', stderr: /must not be empty/ })
  // As npm installs it.
  await symlink(program, path('athanor'))
  const { code, stdout } = await finished(spawn(path('athanor'), ['--version'], { env: { PATH: process.env.PATH } }))
  t.match({ code, stdout: stdout.toString() }, { code: 0, stdout: /^Athanor / })
})

t.test('progress is for a terminal only', async (t) => {
  const { env, file, path } = await deskAt(t, service)
  const note = await file('note.stub')
  const command = (name: string) => `${program} ${note} ${path(name)} --sleep 2500`
  const terminal = spawn('script', ['-qec', command('a.bust'), '/dev/null'], {
    env: { PATH: process.env.PATH, ...env },
  })
  const plain = start(env, note, path('b.bust'), '--sleep', '2500')
  const [shown, piped] = await Promise.all([finished(terminal), finished(plain)])
  t.match(shown.stdout.toString(), /\[#+\.+\] +\d+ % processing .*note\.stub/)
  t.match(shown.stdout.toString(), /\x1b\[J.*note\.stub -> .*a\.bust\r\n$/, 'the line of the result is below')
  t.match({ ...piped, stdout: piped.stdout.toString() }, { stdout: `${note} -> ${path('b.bust')}\n`, stderr: '' })
})

t.test('bytes do not go to a terminal by themselves', async (t) => {
  const { env } = await deskAt(t, service)
  const command = `${program} - --to bust </dev/null`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env.PATH, ...env } })
  const { code, stdout } = await finished(terminal)
  t.match({ code, stdout: stdout.toString() }, { code: 2, stdout: /^athanor: The result would go to the terminal;/ })
})

t.test('an interrupted command cancels its conversions', async (t) => {
  const { env, file, folder, service } = await deskOf(t)
  const sources = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(`${name}.stub`)))
  const list = async () => (await get(service, '/api/conversions')).json.conversions as { status: string; error: any }[]
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const child = start(env, ...sources, '--to', 'bust', '-o', `${folder}/out/`, '--hang')
    const before = (await list()).length
    await until(async () => (await list()).length === before + 4)
    child.kill(signal)
    const ended = await finished(child)
    t.match({ ...ended, stdout: ended.stdout.toString() }, { code, stdout: '', stderr: '' })
    const all = await list()
    t.equal(all.length, before + 4, 'no more were started')
    t.ok(all.every(({ error }) => error.code === 'CANCELLED'))
  }
  const left = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  t.strictSame(left.sort(), ['a.stub', 'b.stub', 'c.stub', 'd.stub', 'e.stub', 'f.stub'])
})
