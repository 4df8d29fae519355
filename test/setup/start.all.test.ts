/** `npm start` as an operator and a supervisor see it, and `npm start -- --home`, as at home. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { isPrivate } from '../../kernel/people/owner.ts'
import { until } from '../harness/until.ts'

const root = join(import.meta.dirname, '../..')

/** What a command has printed so far, and its exit code when it has ended. */
interface Started {
  child: ChildProcess
  said: string
  wrong: string
  ended: Promise<unknown[]>
}

/** Starts the service without setup, in a new process group, on a free port. */
function start(t: Test, args: string[] = [], env: Record<string, string> = {}, through: string[] = []): Started {
  const home = t.testdir()
  const [program, ...words] = [...through, 'npm', 'start', '--silent', '--', '--no-setup', ...args]
  const child = spawn(program!, words, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, DATA_DIR: join(home, 'data'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const started: Started = { child, said: '', wrong: '', ended: once(child, 'close') }
  child.stdout.on('data', (data) => (started.said += data))
  child.stderr.on('data', (data) => (started.wrong += data))
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    await started.ended
  })
  return started
}

/** Waits until it prints a line, by default the one with its URL. */
async function printed(started: Started, line = /^Athanor is ready on (http:\/\/\S+)\n/m): Promise<RegExpExecArray> {
  await until(() => {
    if (started.child.exitCode !== null) throw new Error(`it ended: ${started.wrong}`)
    return line.test(started.said)
  })
  return line.exec(started.said)!
}

for (const whole of [true, false])
  t.test(`it serves, and ends with 0 on SIGTERM to ${whole ? 'the process group' : 'npm alone'}`, async (t) => {
    const started = start(t, ['--only', 'image'])
    const [, url] = await printed(started)
    const { formats } = (await (await fetch(`${url}/api/formats`)).json()) as any
    const writable = formats.filter((format: any) => format.writable)
    t.strictSame([...new Set(writable.map((format: any) => format.category))], ['image'])
    process.kill(whole ? -started.child.pid! : started.child.pid!, 'SIGTERM')
    t.strictSame(await started.ended, [0, null])
    await t.rejects(fetch(`${url}/healthz`), 'nothing is left that answers')
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

const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
const hasIPv6 = addresses.some(({ family }) => family === 'IPv6')
const own = addresses.filter(({ internal, family, address }) => !internal && family === 'IPv4' && isPrivate(address))
const HOME = ['--home', '--only', 'image']
const OPEN = /^Open to your home network.*\n/m

for (const NODE_ENV of ['development', 'production'])
  t.test(`at home, it serves plain HTTP to the network, in ${NODE_ENV}`, async (t) => {
    const started = start(t, HOME, { NODE_ENV })
    const [line] = await printed(started, OPEN)
    // An address that a browser on this machine opens.
    const port = Number(/^Athanor is ready on http:\/\/localhost:(\d+)$/m.exec(started.said)![1])
    const isContainer = /^[0-9a-f]{12}$/.test(hostname())
    if (!isContainer) for (const { address } of own) t.match(line, `http://${address}:${port}`)
    const name = hostname().split('.')[0]!.toLowerCase()
    if (!isContainer && name !== 'localhost') {
      t.match(line, `http://${name}:${port}`)
      const [answer] = await once(get({ host: '127.0.0.1', port, headers: { host: `${name}:${port}` } }), 'response')
      t.not(answer.statusCode, 421, 'and it answers to this name')
      answer.destroy()
    }
    for (const host of ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : []), ...own.map(({ address }) => address)])
      t.equal((await fetch(`http://${host}:${port}/api/formats`)).status, 200, host)
    const registration = await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org', password: 'correct horse battery' }),
    })
    t.equal(registration.status, 403)
  })

t.test('in a container, whose address other devices cannot reach, it names none', async (t) => {
  const asRoot = process.getuid!() === 0 ? [] : ['--user', '--map-root-user']
  const rename = 'hostname 0123456789ab && exec "$@"'
  const started = start(t, HOME, {}, ['unshare', ...asRoot, '--uts', 'sh', '-c', rename, 'sh'])
  const [line] = await printed(started, OPEN)
  t.equal(line, 'Open to your home network at the addresses of this machine\n')
  t.notMatch(started.said, '0123456789ab')
})
