/** `npm start` as an operator and a supervisor see it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const root = join(import.meta.dirname, '../..')

/** Starts the service without setup, in a new process group, on a free port. */
function start(t: Test, env: Record<string, string> = {}, args: string[] = []) {
  const home = t.testdir()
  const child = spawn('npm', ['start', '--silent', '--', '--no-setup', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, DATA_DIR: join(home, 'data'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const closed = once(child, 'close')
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    child.stdout.resume()
    child.stderr.resume()
    await closed
  })
  return child
}

/** The URL that the service prints when it is ready. */
async function ready(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^Athanor is ready on (http\S+)$/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('it ended before it was ready')
}

/** The exit code of a process, and its standard error. */
async function ended(child: ChildProcess) {
  let said = ''
  child.stderr!.on('data', (data) => (said += data))
  child.stdout!.resume()
  const [code, signal] = await once(child, 'close')
  return { code, signal, said }
}

for (const whole of [true, false]) {
  const whom = whole ? 'the process group' : 'npm alone'
  t.test(`it says where it is ready, serves, and ends with 0 on SIGTERM to ${whom}`, async (t) => {
    const child = start(t)
    const url = await ready(child)
    t.equal((await fetch(`${url}/readyz`)).status, 200)
    const end = ended(child)
    process.kill(whole ? -child.pid! : child.pid!, 'SIGTERM')
    t.match(await end, { code: 0, signal: null })
    await t.rejects(fetch(`${url}/healthz`), 'nothing is left that answers')
  })
}

t.test('--only serves only these categories', async (t) => {
  const child = start(t, {}, ['--only', 'image'])
  const { formats } = (await (await fetch(`${await ready(child)}/api/formats`)).json()) as any
  const writable = formats.filter((format: any) => format.writable)
  t.strictSame([...new Set(writable.map((format: any) => format.category))], ['image'])
  process.kill(child.pid!, 'SIGTERM')
  t.match(await ended(child), { code: 0 })
})

t.test('a refused start prints one message and exits with 78', async (t) => {
  const refused = async (env: Record<string, string>, pattern: RegExp, args: string[] = []) => {
    const { code, said } = await ended(start(t, env, args))
    t.equal(code, 78, said)
    t.match(said, pattern)
    t.notMatch(said, /^ +at /m, 'no stack')
  }
  await refused({ PORT: 'http' }, /^environment: PORT must be an integer from 0 to 65535/)
  await refused({}, /--only: there is no plugin "pictures"/, ['--only', 'pictures'])
})

t.test('--version prints the release, and starts and creates nothing', async (t) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const words of [['start'], ['run', 'admin']]) {
    const home = t.testdir()
    const { stdout } = await promisify(execFile)('npm', [...words, '--silent', '--', '--version'], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: home, DATA_DIR: join(home, 'data') },
    })
    t.match(stdout, new RegExp(`^Athanor ${version}( \\([0-9a-f]{12}\\))?\\n$`), words.join(' '))
    t.notOk(existsSync(join(home, 'data')))
  }
})
