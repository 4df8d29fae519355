/** The container's health check, with the environment of the service. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../harness/free-port.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { root, run, startStub } from '../start/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'athanor-health-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** The command in the Containerfile. */
const [program, ...args] = JSON.parse(
  /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Containerfile'), 'utf8'))![1]!,
)
const command = [join(root, program), ...args]

const certificate = join(folder, 'tls')
mkdirSync(certificate)
const tls = makeCertificate(certificate)

const ways: [string, NodeJS.ProcessEnv, string][] = [
  ['http', { HOST: '127.0.0.1' }, ''],
  ['all addresses', { HOST: '0.0.0.0' }, ''],
  ['the file’s port and IPv6', { PORT: '' }, 'host: "::"'],
  ['https', tls ? { TLS_CERT: tls.cert, TLS_KEY: tls.key } : {}, ''],
  [
    'https in production',
    tls ? { TLS_CERT: tls.cert, TLS_KEY: tls.key, NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) } : {},
    '',
  ],
]

for (const [name, extra, yaml] of ways) {
  t.test(name, { skip: name.startsWith('https') && !tls }, async (t) => {
    const port = await freePort()
    const env = { PORT: `${port}`, ...extra }
    const service = startStub(t, join(folder, name), { env, yaml: `${yaml}\nport: ${port}` })
    const config = { ...env, DATA_DIR: join(folder, name), CONFIG_FILE: service.configFile }
    await service.ready()
    t.match(await run(t, command, config).ended(), { code: 0, stderr: '' })
    service.kill('SIGTERM')
    await service.ended()
    t.match(await run(t, command, config).ended(), { code: 1, stderr: /ECONNREFUSED/ }, 'and says when it is gone')
  })
}

t.test('a service that is not ready is not healthy', { skip: !tls }, async (t) => {
  const port = await freePort()
  const service = startStub(t, join(folder, 'plain'), { env: { PORT: `${port}` } })
  await service.ready()
  const { code } = await run(t, command, { PORT: `${port}`, TLS_CERT: tls!.cert, TLS_KEY: tls!.key }).ended()
  t.equal(code, 1, 'plain HTTP where HTTPS is meant')
})
