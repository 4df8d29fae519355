/** HTTPS by a certificate of its own, which is renewed while the service runs. */
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get as httpsGet } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import t from 'tap'
import { createMetrics } from '../../kernel/http/metrics/metrics.ts'
import { folderOf } from '../harness/folder.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { serviceOf } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const folder = await folderOf(t)
const [first, second] = ['first', 'second'].map((name) => {
  mkdirSync(join(folder, name))
  return makeCertificate(join(folder, name))!
}) as [{ key: string; cert: string }, { key: string; cert: string }]
const used = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }

/** Replaces a file at once, as programs that renew certificates do. */
function replace(file: string, by: string): void {
  copyFileSync(by, `${file}.new`)
  renameSync(`${file}.new`, file)
}
replace(used.cert, first.cert)
replace(used.key, first.key)

const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(40), TLS_CERT: used.cert, TLS_KEY: used.key }
const service = await serviceOf(t, { env })

/** Connects; resolves to the fingerprint of the certificate that the service shows. */
async function shown(): Promise<string> {
  const socket = connect({ port: service.port, host: '127.0.0.1', rejectUnauthorized: false })
  try {
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
    return socket.getPeerCertificate().fingerprint256
  } finally {
    socket.destroy()
  }
}
const logged = (message: string) => service.log.filter(({ msg }) => msg === message).length

t.test('the service speaks HTTPS, as production must', async (t) => {
  const asked = httpsGet(`${service.base}/api/tools`, { ca: readFileSync(used.cert), agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  t.match(answer, { statusCode: 200, headers: { 'strict-transport-security': /max-age=\d+/ } })
})

t.test('new connections get it when its files change, and a faulty file changes nothing', async (t) => {
  const before = await shown()
  replace(used.cert, second.cert)
  await until(() => logged('certificate not renewed; the old one stays in effect') > 0)
  t.equal(await shown(), before, 'the key does not belong to it yet')
  replace(used.key, second.key)
  await until(() => logged('certificate renewed') === 1)
  const after = await shown()
  t.not(after, before)

  writeFileSync(used.cert, 'nothing')
  t.throws(() => service.kernel.reload(service.kernel.config), { message: /TLS_CERT: \S+ is not a certificate/ })
  t.equal(await shown(), after)
  replace(used.cert, first.cert)
  replace(used.key, first.key)
  service.kernel.reload(service.kernel.config)
  t.equal(await shown(), before, 'a reload reads it at once')
})

t.test('the metrics tell when it expires', async (t) => {
  const text = await createMetrics(service.kernel).registry.metrics()
  const seconds = Number(/^athanor_tls_expiry_seconds (\d+)/m.exec(text)?.[1])
  t.ok(seconds > 1.9 * 86_400 && seconds <= 2 * 86_400, `${seconds} s`)
})
