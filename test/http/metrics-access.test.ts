/** Who can read the metrics of a running service. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createMetricsServer } from '../../kernel/http/metrics/access.ts'
import { createMetrics } from '../../kernel/http/metrics/metrics.ts'
import { get, type Service, startService } from '../harness/service.ts'

const TOKEN = 'a token for metrics'
const PRODUCTION = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }

async function start(
  t: Test,
  metrics: { port?: number; token?: string } = {},
  env: Record<string, string> = {},
): Promise<Service> {
  const service = await startService({ env, change: (config) => Object.assign(config.metrics, metrics) })
  t.teardown(() => service[Symbol.asyncDispose]())
  return service
}
const ask = async (service: Pick<Service, 'base'>, authorization?: string) => {
  const { status, body } = await get(service as Service, '/metrics', authorization ? { authorization } : {})
  return { status, text: body.toString() }
}

t.test('in production, metrics are closed unless configured', async (t) => {
  const service = await start(t, {}, PRODUCTION)
  for (const authorization of [undefined, `Bearer ${TOKEN}`, 'Bearer undefined']) {
    t.match(await ask(service, authorization), { status: 404, text: /"NOT_FOUND"/ })
  }
})

t.test('by a token from the environment', async (t) => {
  const service = await start(t, {}, { ...PRODUCTION, METRICS_TOKEN: TOKEN })
  t.match(await ask(service, `Bearer ${TOKEN}`), { status: 200, text: /^athanor_build_info\{/m })
  for (const wrong of [undefined, 'Bearer ', TOKEN, `Bearer ${TOKEN}x`, `bearer ${TOKEN} `]) {
    const { status, text } = await ask(service, wrong)
    t.equal(status, 401, wrong ?? 'without one')
    t.notMatch(text, /athanor_/)
  }
})

/** The server of the metrics' own port, as a start makes it. */
async function ownPort(t: Test, { kernel }: Service) {
  const server = createMetricsServer(createMetrics(kernel), kernel.config)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => void server.close())
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('on a separate port', async (t) => {
  const service = await start(t, { port: 1 }, PRODUCTION)
  const own = await ownPort(t, service)
  t.match(await ask(own), { status: 200, text: /^athanor_build_info\{/m })
  t.equal((await ask(service)).status, 404, 'which the public one is not')
  for (const path of ['/', '/api/tools', '/metrics/x']) t.equal((await fetch(own.base + path)).status, 404, path)
  t.equal((await fetch(`${own.base}/metrics`, { method: 'POST' })).status, 405)
})

t.test('with a token on a separate port', async (t) => {
  const service = await start(t, { port: 1, token: TOKEN })
  const own = await ownPort(t, service)
  t.equal((await ask(own)).status, 401)
  t.equal((await ask(own, `Bearer ${TOKEN}`)).status, 200)
  t.equal((await ask(service, `Bearer ${TOKEN}`)).status, 404)
})

t.test('in development: on loopback, and not on addresses that others can reach', async (t) => {
  t.equal((await ask(await start(t))).status, 200)
  t.equal((await ask(await start(t, {}, { HOST: '0.0.0.0' }))).status, 404)
})

t.test('details of the readiness are for private addresses, or the token', async (t) => {
  const service = await start(t, {}, { ...PRODUCTION, METRICS_TOKEN: TOKEN })
  const ready = async (address: string, authorization = '') =>
    get(service, '/readyz', { 'x-forwarded-for': address, ...(authorization && { authorization }) })
  const details = async (...how: Parameters<typeof ready>) => /"detail"/.test((await ready(...how)).body.toString())
  t.match(await ready('203.0.113.7'), { status: 200, json: { status: 'ready', parts: { database: { ok: true } } } })
  t.equal(await details('203.0.113.7'), false)
  t.equal(await details('203.0.113.7', 'Bearer wrong'), false)
  t.equal(await details('203.0.113.7', `Bearer ${TOKEN}`), true)
  for (const address of ['10.1.2.3', '192.168.1.9', '::1', 'fd00::1']) t.equal(await details(address), true, address)
  const behind = await start(t, {}, { ...PRODUCTION, TRUSTED_PROXIES: '' })
  const named = await get(behind, '/readyz', { 'x-forwarded-for': '203.0.113.7' })
  t.notMatch(named.body.toString(), /"detail"/, 'nor for the clients of a proxy that the service does not know')
  service.kernel.settings.maintenance = true
  service.kernel.health.leave()
  const refused = { status: 503, json: { error: { code: 'NOT_READY', message: 'Not ready: service, maintenance' } } }
  t.match(await ready('203.0.113.7'), refused)
  t.match((await ready('10.1.2.3')).json.error, { message: 'Not ready: service (stopping), maintenance (on)' })
})
