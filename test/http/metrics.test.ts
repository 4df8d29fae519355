/** Metrics for Prometheus: figures for alerts, and the manual page that describes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import t from 'tap'
import type { Config } from '../../config/config.ts'
import { gaugeUpdates } from '../../kernel/http/metrics/updates.ts'
import { startMailServer } from '../harness/servers/smtp.ts'
import { call, convert, get, post, type Service, start, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const root = join(import.meta.dirname, '../..')
const manual = readFileSync(join(root, 'docs/monitoring.md'), 'utf8')

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
const ended = (service: Service, id: string) => get(service, `/api/conversions/${id}?wait=30`)

t.test('outcomes of conversions', async (t) => {
  await using service = await startService()
  await convert(service)
  await convert(service, { options: { fail: 'refuse' } })
  const one = { category: 'stub', engine: 'scribe' }
  t.equal(await read(service, 'athanor_conversions_total', { ...one, status: 'completed', code: '' }), 1)
  t.equal(await read(service, 'athanor_conversions_total', { ...one, status: 'failed', code: 'CONVERSION_ERROR' }), 1)
  t.equal(await read(service, 'athanor_conversion_run_seconds_count', { category: 'stub' }), 2)

  // One owner can run one heavy conversion at a time.
  const first = await start(service, { options: { heavy: true, sleep: 1500 } })
  const second = await start(service, { options: { heavy: true } })
  const heavy = (name: string) => read(service, name, { lane: 'heavy' })
  t.equal(await heavy('athanor_conversions_processing'), 1)
  t.equal(await heavy('athanor_conversions_queued'), 1)
  const age = (await heavy('athanor_queue_age_seconds'))!
  t.ok(age > 0 && age < 2, `the one that waits is ${age} s old`)
  for (const name of ['conversions_processing', 'conversions_queued', 'queue_age_seconds']) {
    t.equal(await read(service, `athanor_${name}`, { lane: 'light' }), 0, `light ${name}`)
  }
  for (const { id } of [first, second]) await ended(service, id)
  t.equal(await heavy('athanor_queue_age_seconds'), 0)
  const waited = (await read(service, 'athanor_conversion_wait_seconds_sum', { category: 'stub' }))!
  t.ok(waited >= 1.2 && waited < 20, `they waited ${waited} s together`)
})

t.test('refusals, by family', async (t) => {
  await using service = await startService({
    change(config) {
      Object.assign(config, {
        mode: 'production',
        trustedProxies: ['127.0.0.1'],
        metrics: { port: null, token: 'm'.repeat(32) },
      })
      config.plans.guest.conversionsPerDay = 1
      config.rates.downloads.perMinute = 1
    },
  })
  const tls = { 'x-forwarded-proto': 'https' }
  const metrics = { authorization: `Bearer ${'m'.repeat(32)}` }
  for (const _ of [1, 2]) await start(service, {}, tls)
  for (const _ of [1, 2, 3]) await get(service, '/api/files/none', tls)
  const text = (await get(service, '/metrics', metrics)).body.toString()
  t.match(text, /^athanor_refusals_total\{code="RATE_LIMITED",family="downloads"\} 2$/m)
  t.match(text, /^athanor_refusals_total\{code="QUOTA_EXCEEDED",family="conversions"\} 1$/m)
  t.match(text, /^athanor_http_request_duration_seconds_count\{operation="startConversion",status="4xx"\} 1$/m)
})

t.test('the service itself', async (t) => {
  await using service = await startService()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  t.equal(await read(service, 'athanor_build_info', { version, node: process.versions.node }), 1)
  t.match(
    service.log.find(({ msg }) => msg === 'starting'),
    { version },
  )
  t.ok((await read(service, 'athanor_data_free_bytes'))! > 1e6)
  t.equal(await read(service, 'athanor_maintenance'), 0)
  t.match((await get(service, '/readyz')).json.parts.maintenance, { ok: true, detail: 'off' })
  service.kernel.settings.maintenance = true
  t.equal(await read(service, 'athanor_maintenance'), 1)
  const ready = await get(service, '/readyz')
  t.equal(ready.status, 200, 'it is so on purpose')
  t.match(ready.json.parts.maintenance, { ok: false, detail: 'on' })
})

t.test('no label has a value that clients can choose', async (t) => {
  await using service = await startService()
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
  await using service = await startService()
  await convert(service)
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

t.test('counters begin at 0; what engines use, and how many places there are', async (t) => {
  const change = (config: Config) => Object.assign(config.queue, { workers: 5, heavyWorkers: 2 })
  await using service = await startService({ change })
  const ended = { category: 'stub', engine: 'scribe' }
  const failed = { status: 'failed', code: 'INTERNAL_SERVER_ERROR' }
  t.equal(await read(service, 'athanor_conversions_total', { ...ended, ...failed }), 0)
  t.equal(await read(service, 'athanor_conversions_total', { category: 'stub', engine: 'none', ...failed }), 0)
  t.equal(await read(service, 'athanor_conversions_total', { ...ended, status: 'completed', code: '' }), 0)
  t.equal(await read(service, 'athanor_refusals_total', { code: 'STORAGE_FULL', family: 'uploads' }), 0)
  t.equal(await read(service, 'athanor_conversion_run_seconds_count', { category: 'stub' }), 0)
  t.equal(await read(service, 'athanor_engine_cpu_seconds_total', { engine: 'scribe' }), 0)
  t.equal(await read(service, 'athanor_places', { lane: 'light' }), 5)
  t.equal(await read(service, 'athanor_places', { lane: 'heavy' }), 2)
  await convert(service, { options: { sleep: 300 } })
  t.ok((await read(service, 'athanor_engine_cpu_seconds_total', { engine: 'scribe' }))! > 0)
  t.equal(await read(service, 'athanor_engine_memory_bytes_count', { engine: 'scribe' }), 1)
  const max = (await read(service, 'athanor_engine_memory_bytes_sum', { engine: 'scribe' }))!
  t.ok(max > 1e6 && max < 1e9, `${max} bytes`)
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
