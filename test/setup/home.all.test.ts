/** `npm start -- --home`, as at home. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isPrivate } from '../../kernel/people/owner.ts'
import { until } from '../harness/until.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the service by its own command on a free port. Resolves to the lines that it prints when it is ready. */
async function start(t: Test, env: Record<string, string> = {}, through: readonly string[] = []) {
  const home = t.testdir()
  const command = [...through, 'npm', 'start', '--silent', '--', '--no-setup', '--home', '--only', 'image']
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, DATA_DIR: join(home, 'data'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const closed = once(child, 'close')
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, signal)
    return closed
  }
  t.teardown(() => end('SIGKILL'))
  let said = ''
  let wrong = ''
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (wrong += data))
  // Its last line has the addresses.
  await until(() => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${wrong}`)
    return /^Open to your home network.*\n/m.test(said)
  })
  const port = Number(/^Athanor is ready on http:\/\/\S+:(\d+)$/m.exec(said)![1])
  return { said, port, end: () => end('SIGTERM') }
}

const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
const hasIPv6 = addresses.some(({ family }) => family === 'IPv6')
const own = addresses.filter(({ internal, family, address }) => !internal && family === 'IPv4' && isPrivate(address))

for (const NODE_ENV of ['development', 'production']) {
  t.test(`it serves plain HTTP to the home network, in ${NODE_ENV}`, async (t) => {
    const { said, port, end } = await start(t, { NODE_ENV })
    const lines = said.split('\n').filter((line) => /home network/.test(line))
    t.equal(lines.length, 1)
    const container = /^[0-9a-f]{12}$/.test(hostname())
    if (!container) for (const { address } of own) t.match(lines[0], `http://${address}:${port}`)
    t.match(said, `Athanor is ready on http://localhost:${port}\n`, 'an address that a browser on this machine opens')
    const name = hostname().split('.')[0]!.toLowerCase()
    if (!container && name !== 'localhost') {
      t.match(lines[0], `http://${name}:${port}`)
      const { status } = await new Promise<{ status: number | undefined }>((resolve) =>
        get({ host: '127.0.0.1', port, headers: { host: `${name}:${port}` } }, ({ statusCode }) =>
          resolve({ status: statusCode }),
        ),
      )
      t.ok(status && status !== 421, 'and it answers to this name')
    }

    const hosts = ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : []), ...own.map(({ address }) => address)]
    for (const host of hosts) {
      const { status } = await fetch(`http://${host}:${port}/api/formats`)
      t.equal(status, 200, host)
    }
    // /proc/net/tcp of proc(5): state 0A is LISTEN, and a zero address means all addresses.
    const table = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8')
    const local = port.toString(16).toUpperCase().padStart(4, '0')
    t.match(table, new RegExp(`: (0{8}|0{32}):${local} \\S+ 0A `), 'on all interfaces')

    const registration = await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org', password: 'correct horse battery' }),
    })
    t.equal(registration.status, 403)
    t.match(await registration.json(), { error: { code: 'FORBIDDEN' } })
    t.strictSame(await end(), [0, null])
  })
}

t.test('in a container, whose address other devices cannot reach, it names none', async (t) => {
  const asRoot = process.getuid!() === 0 ? [] : ['--user', '--map-root-user']
  const name = 'hostname 0123456789ab && exec "$@"'
  const { said } = await start(t, {}, ['unshare', ...asRoot, '--uts', 'sh', '-c', name, 'sh'])
  t.match(said, '\nOpen to your home network at the addresses of this machine\n')
  t.notMatch(said, '0123456789ab')
})
