/** Metrics for Prometheus: figures for alerts, who can read them, and the manual page that describes them. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { createMetricsServer } from '../../kernel/http/metrics/access.ts'
import { createMetrics } from '../../kernel/http/metrics/metrics.ts'
import { gaugeUpdates } from '../../kernel/http/metrics/updates.ts'
import { startMailServer } from '../harness/servers/smtp.ts'
import { call, convert, get, post, type Service, serviceOf, start, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { beside, PRODUCTION, proxied } from './beside.ts'

const root = join(import.meta.dirname, '../..')
const manual = readFileSync(join(root, 'docs/monitoring.md'), 'utf8')
const service = await serviceOf(t, {
  change: ({ queue, plans }) => {
    Object.assign(queue, { workers: 5, heavyWorkers: 2 })
    plans.guest.conversionsPerDay = null
  },
})

/** Returns the value of one series, by its name with labels in any order; undefined if there is none. */
async function read(service: Service, name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const text = (await get(service, '/metrics')).body.toString()
  for (const [, series, given = '', value] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const all = Object.fromEntries([...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]))
    if (series === name && Object.entries(labels).every(([key, text]) => all[key] === text)) return Number(value)
  }
  return undefined
}
const ELSEWHERE = ['athanor_tls_expiry_seconds', 'athanor_security_updates']
const ended = (id: string) => get(service, `/api/conversions/${id}?wait=30`)
const value = (name: string, labels?: Record<string, string>) => read(service, name, labels)
const TOKEN = 'a token for metrics'
const access = (port: number | null, token?: string) => ({
  metrics: { host: '127.0.0.1', port, ...(token && { token }) },
})
const scribe = { category: 'stub', engine: 'scribe' }

t.test('counters begin at 0, and there are as many places as are configured', async (t) => {
  const failed = { status: 'failed', code: 'INTERNAL_SERVER_ERROR' }
  t.equal(await value('athanor_conversions_total', { ...scribe, ...failed }), 0)
  t.equal(await value('athanor_conversions_total', { category: 'stub', engine: 'none', ...failed }), 0)
  t.equal(await value('athanor_conversions_total', { ...scribe, status: 'completed', code: '' }), 0)
  t.equal(await value('athanor_refusals_total', { code: 'STORAGE_FULL', family: 'uploads' }), 0)
  t.equal(await value('athanor_conversion_run_seconds_count', { category: 'stub' }), 0)
  t.equal(await value('athanor_engine_cpu_seconds_total', { engine: 'scribe' }), 0)
  t.equal(await value('athanor_places', { lane: 'light' }), 5)
  t.equal(await value('athanor_places', { lane: 'heavy' }), 2)
})

t.test('outcomes of conversions, and what engines use', async (t) => {
  await convert(service, { options: { sleep: 300 } })
  await convert(service, { options: { fail: 'refuse' } })
  t.equal(await value('athanor_conversions_total', { ...scribe, status: 'completed', code: '' }), 1)
  t.equal(await value('athanor_conversions_total', { ...scribe, status: 'failed', code: 'CONVERSION_ERROR' }), 1)
  t.equal(await value('athanor_conversion_run_seconds_count', { category: 'stub' }), 2)
  t.ok((await value('athanor_engine_cpu_seconds_total', { engine: 'scribe' }))! > 0)
  t.equal(await value('athanor_engine_memory_bytes_count', { engine: 'scribe' }), 2)
  const max = (await value('athanor_engine_memory_bytes_sum', { engine: 'scribe' }))!
  t.ok(max > 1e6 && max < 1e9, `${max} bytes`)

  // One owner can run one heavy conversion at a time.
  const first = await start(service, { options: { heavy: true, sleep: 1500 } })
  const second = await start(service, { options: { heavy: true } })
  const heavy = (name: string) => value(name, { lane: 'heavy' })
  t.equal(await heavy('athanor_conversions_processing'), 1)
  t.equal(await heavy('athanor_conversions_queued'), 1)
  t.ok((await heavy('athanor_queue_age_seconds'))! > 0)
  for (const name of ['conversions_processing', 'conversions_queued', 'queue_age_seconds'])
    t.equal(await value(`athanor_${name}`, { lane: 'light' }), 0, `light ${name}`)
  for (const { id } of [first, second]) await ended(id)
  t.equal(await heavy('athanor_queue_age_seconds'), 0)
  const waited = (await value('athanor_conversion_wait_seconds_sum', { category: 'stub' }))!
  t.ok(waited >= 1.2, `they waited ${waited} s together`)
})

t.test('refusals, by family', async (t) => {
  const { rates } = service.kernel.config
  const downloads = { perMinute: 1, perHour: null }
  await using strict = await beside(service, { ...PRODUCTION, rates: { ...rates, downloads }, ...access(null, TOKEN) })
  for (const _ of [1, 2, 3]) await get(strict, '/api/files/none', proxied('192.0.2.1'))
  service.kernel.config.plans.guest.conversionsPerDay = 0
  await start(strict, {}, proxied('192.0.2.1'))
  service.kernel.config.plans.guest.conversionsPerDay = null
  const text = (await get(strict, '/metrics', { authorization: `Bearer ${TOKEN}` })).body.toString()
  t.match(text, /^athanor_refusals_total\{code="RATE_LIMITED",family="downloads"\} 2$/m)
  t.match(text, /^athanor_refusals_total\{code="QUOTA_EXCEEDED",family="conversions"\} 1$/m)
  t.match(text, /^athanor_http_request_duration_seconds_count\{operation="startConversion",status="4xx"\} 1$/m)
})

t.test('the service itself', async (t) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.equal(await value('athanor_build_info', { version, node: process.versions.node }), 1)
  t.match(
    service.log.find(({ msg }) => msg === 'starting'),
    { version },
  )
  t.ok((await value('athanor_data_free_bytes'))! > 1e6)
  t.equal(await value('athanor_maintenance'), 0)
  t.match((await get(service, '/readyz')).json.parts.maintenance, { ok: true, detail: 'off' })
  service.kernel.settings.maintenance = true
  t.equal(await value('athanor_maintenance'), 1)
  const ready = await get(service, '/readyz')
  t.equal(ready.status, 200, 'it is so on purpose')
  t.match(ready.json.parts.maintenance, { ok: false, detail: 'on' })
  service.kernel.settings.maintenance = false
})

t.test('no label has a value that clients can choose', async (t) => {
  const mark = 'zebra'
  const headers = { 'x-request-id': mark, 'user-agent': mark, 'x-guest-fingerprint': mark }
  await convert(service, { fileName: `${mark}.stub` }, headers)
  await get(service, `/api/tools/${mark}`, headers)
  await get(service, `/${mark}?${mark}`, headers)
  await call(service, 'PROPFIND', `/api/${mark}`, { headers })
  await post(service, '/api/conversions', { fileId: mark, toFormat: mark }, headers)
  const { body } = await get(service, '/metrics')
  t.notMatch(body.toString(), /zebra|propfind/i)
})

t.test('the manual names all existing metrics, and no others', async (t) => {
  const text = (await get(service, '/metrics')).body.toString()
  // One is there only with a certificate: see test/boot/certificate.test.ts. The other one is below.
  const there = [...text.matchAll(/^# TYPE (athanor_\w+) /gm)].map(([, name]) => name!).concat(ELSEWHERE)
  const told = [...manual.matchAll(/^\| `(athanor_\w+)` \|(.*?)\|/gm)]
  t.strictSame(told.map(([, name]) => name).sort(), there.toSorted())
  for (const [, name, labels] of told) {
    const series = new RegExp(`^${name}(?:_count)?(?:\\{(.*)\\})? `, 'm').exec(text)
    if (!series) continue
    const real = [...(series[1] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label)
    t.strictSame([...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label).sort(), real.sort(), name!)
  }
})

t.test('a mail server that accepts nothing is away, until it accepts one', async (t) => {
  const mails = await startMailServer()
  const { port } = mails
  const mail = { SMTP_URL: mails.url, MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://convert.example' }
  await using service = await startService({ env: mail })
  const up = (part: string) => read(service, 'athanor_part_up', { part })
  t.strictSame([await up('database'), await up('storage'), await up('mail'), await up('redis')], [1, 1, 1, undefined])
  const letter = { to: 'b@example.com', subject: 'x', text: 'x' }
  const { mailer } = service.kernel.accounts
  await mails[Symbol.asyncDispose]()
  await t.rejects(mailer!.send(letter))
  t.equal(await up('mail'), 0)
  await using back = await startMailServer({ port })
  await mailer!.send(letter)
  t.equal(await up('mail'), 1)
  t.equal(back.received.length, 1)
})

t.test('packages with updates are counted, and nothing is claimed that nobody can know', async (t) => {
  const registry = new Registry()
  const ended = new AbortController()
  t.teardown(() => ended.abort())
  const series = async () => (await registry.metrics()).split('\n').filter((line) => /^athanor_/.test(line))
  let state: 'current' | 'stale' = 'current'
  let looks = 0
  const find = async () => {
    looks++
    return { lists: { state }, security: [1, 2], other: [3] }
  }
  gaugeUpdates(registry, find, ended.signal, 1)
  await until(async () => (await series()).length === 2)
  t.strictSame(await series(), [
    'athanor_security_updates{severity="security"} 2',
    'athanor_security_updates{severity="other"} 1',
  ])
  const old = new Registry()
  state = 'stale'
  gaugeUpdates(old, find, ended.signal, 1)
  await until(() => looks === 2)
  t.notMatch(await old.metrics(), /^athanor_/m)
})

const ask = async (service: Pick<Service, 'base'>, authorization?: string) => {
  const { status, body } = await get(service as Service, '/metrics', authorization ? { authorization } : {})
  return { status, text: body.toString() }
}

t.test('in production, metrics are closed unless there is a token; in development, open to this machine', async (t) => {
  await using closed = await beside(service, PRODUCTION)
  for (const authorization of [undefined, `Bearer ${TOKEN}`, 'Bearer undefined'])
    t.match(await ask(closed, authorization), { status: 404, text: /"NOT_FOUND"/ })
  await using open = await beside(service, { ...PRODUCTION, ...access(null, TOKEN) })
  t.match(await ask(open, `Bearer ${TOKEN}`), { status: 200, text: /^athanor_build_info\{/m })
  for (const wrong of [undefined, 'Bearer ', TOKEN, `Bearer ${TOKEN}x`, `bearer ${TOKEN} `]) {
    const { status, text } = await ask(open, wrong)
    t.equal(status, 401, wrong ?? 'without one')
    t.notMatch(text, /athanor_/)
  }
  t.equal((await ask(service)).status, 200)
  await using reachable = await beside(service, { host: '0.0.0.0' })
  t.equal((await ask(reachable)).status, 404)
})

/** The server of the metrics' own port, as a start makes it. */
async function ownPort(t: Test, { kernel }: Service) {
  const server = createMetricsServer(createMetrics(kernel), kernel.config)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => void server.close())
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('on a separate port, with and without a token', async (t) => {
  await using plain = await beside(service, { ...PRODUCTION, ...access(1) })
  const own = await ownPort(t, plain)
  t.match(await ask(own), { status: 200, text: /^athanor_build_info\{/m })
  t.equal((await ask(plain)).status, 404, 'which the public one is not')
  for (const path of ['/', '/metrics/x']) t.equal((await fetch(own.base + path)).status, 404, path)
  t.equal((await fetch(`${own.base}/metrics`, { method: 'POST' })).status, 405)
  await using secret = await beside(service, access(1, TOKEN))
  const guarded = await ownPort(t, secret)
  t.equal((await ask(guarded)).status, 401)
  t.equal((await ask(guarded, `Bearer ${TOKEN}`)).status, 200)
  t.equal((await ask(secret, `Bearer ${TOKEN}`)).status, 404)
})

t.test('details of the readiness are for private addresses, or the token', async (t) => {
  await using front = await beside(service, { ...PRODUCTION, ...access(null, TOKEN) })
  const ready = async (address: string, authorization = '') =>
    get(front, '/readyz', { 'x-forwarded-for': address, ...(authorization && { authorization }) })
  const details = async (...how: Parameters<typeof ready>) => /"detail"/.test((await ready(...how)).body.toString())
  t.match(await ready('203.0.113.7'), { status: 200, json: { status: 'ready', parts: { database: { ok: true } } } })
  t.equal(await details('203.0.113.7', 'Bearer wrong'), false)
  t.equal(await details('203.0.113.7', `Bearer ${TOKEN}`), true)
  for (const address of ['10.1.2.3', 'fd00::1']) t.equal(await details(address), true, address)
  const named = await get(service, '/readyz', { 'x-forwarded-for': '203.0.113.7' })
  t.notMatch(named.body.toString(), /"detail"/, 'nor for the clients of a proxy that the service does not know')
  service.kernel.settings.maintenance = true
  service.kernel.health.leave()
  const refused = { status: 503, json: { error: { code: 'NOT_READY', message: 'Not ready: service, maintenance' } } }
  t.match(await ready('203.0.113.7'), refused)
  t.match((await ready('10.1.2.3')).json.error, { message: 'Not ready: service (stopping), maintenance (on)' })
})
