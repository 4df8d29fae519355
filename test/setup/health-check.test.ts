/** The container's health check, with the environment of the service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'
import { runInside } from '../harness/inside.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { startOrigin } from '../harness/servers/origin.ts'

const folder = await folderOf(t)
const certificate = makeCertificate(folder)!
const pem = { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) }
const TLS = { TLS_CERT: certificate.cert, TLS_KEY: certificate.key }

/** The program that the Containerfile names. */
const containerfile = readFileSync(join(import.meta.dirname, '../../Containerfile'), 'utf8')
const [, program] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(containerfile)![1]!)

for (const [name, host, env, tls] of [
  ['http', '127.0.0.1', { HOST: '127.0.0.1' }],
  ['all addresses', '127.0.0.1', { HOST: '0.0.0.0' }],
  ['all addresses, also of IPv6', '::1', { HOST: '::' }],
  ['https', '127.0.0.1', { ...TLS, NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }, pem],
] as [string, string, NodeJS.ProcessEnv, typeof pem?][]) {
  t.test(name, async (t) => {
    let status = 200
    const how = { host, ...(tls && { tls }) }
    await using service = await startOrigin(({ url }, res) => {
      res.writeHead(url === '/readyz' ? status : 404).end()
    }, how)
    const check = (port = service.port) => runInside(program, [], { DATA_DIR: folder, PORT: `${port}`, ...env })
    t.match(await check(), { code: 0, stderr: '' })
    status = 503
    t.match(await check(), { code: 1, stderr: '/readyz answers 503\n' })
    if (!tls) t.equal((await runInside(program, [], { ...TLS, PORT: `${service.port}` })).code, 1, 'HTTPS is meant')
    t.match(await check(await freePort()), { code: 1, stderr: /ECONNREFUSED/ }, 'and says when nothing is there')
  })
}
