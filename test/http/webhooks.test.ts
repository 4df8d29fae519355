import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { afterAttempt } from '../../kernel/webhooks/attempt.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { call, convert, finish, get, patch, post, refusal, serviceOf, start, startBatch } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { acceptAll, signUp } from './people.ts'

const service = await serviceOf(t, {
  change(config) {
    config.webhooks.allowNetworks = ['127.0.0.1']
    config.publicUrl = 'https://convert.example'
  },
})

/** A message as a server got it. */
interface Message {
  headers: Record<string, string>
  body: string
}

/** Starts a server that answers with what `answers` gives, and records what it gets. */
async function listen(answers: (at: number) => [status: number, headers?: Record<string, string>] = () => [204]) {
  const messages: Message[] = []
  const origin = await startOrigin(async (req, res) => {
    let body = ''
    req.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    await once(req, 'end')
    messages.push({ headers: req.headers as Record<string, string>, body })
    res.writeHead(...answers(messages.length - 1)).end()
  })
  t.teardown(() => origin[Symbol.asyncDispose]())
  return { messages, url: `${origin.base}/hook` }
}

/** Makes a deliverer look for an attempt now that waits for its time. */
function hurry(): void {
  const database = new Database(join(service.dataDir, 'athanor.sqlite'))
  database.prepare('update webhook_deliveries set next_at = 1 where next_at is not null').run()
  database.close()
}

const create = (body: object, headers: Record<string, string>) => post(service, '/api/webhooks', body, headers)

t.test('an event is posted, signed, and has the record', async (t) => {
  const { session } = await signUp(service)
  const server = await listen()
  const { status, headers, json } = await create({ url: server.url }, session)
  t.equal(status, 201)
  t.equal(headers.get('location'), `/api/webhooks/${json.webhook.id}`)
  t.match(json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { conversion } = await convert(service, {}, session)
  await until(() => server.messages.length === 1)
  const [{ headers: sent, body }] = server.messages as [Message]
  const event = new Webhook(json.secret).verify(body, sent) as any
  t.match(event, { type: 'conversion.completed', data: { id: conversion.id, status: 'completed', progress: 100 } })
  t.match(event.timestamp, /^\d{4}-.*Z$/)
  t.match(event.data.outputUrl, /^https:\/\/convert\.example\/api\/files\/conv_\w+\/download\?token=/)
  const link = new URL(event.data.outputUrl)
  t.match((await get(service, link.pathname + link.search)).body.toString(), /^BUST/, 'its link works')
  t.throws(() => new Webhook(json.secret).verify(body.replace('completed', 'failed'), sent))
  const path = `/api/webhooks/${json.webhook.id}/deliveries`
  await until(async () => (await get(service, path, session)).json.deliveries[0].status === 'delivered')
  t.match((await get(service, path, session)).json.deliveries, [
    {
      id: sent['webhook-id'],
      subject: conversion.id,
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
    },
  ])
})

t.test('only the events that are wanted, to endpoints that are active, of this owner', async (t) => {
  const ada = await signUp(service)
  const bob = await signUp(service)
  const failures = await listen()
  const off = await listen()
  const others = await listen()
  await create({ url: failures.url, events: ['conversion.failed'] }, ada.session)
  await create({ url: off.url, active: false }, ada.session)
  await create({ url: others.url }, bob.session)
  await convert(service, {}, ada.session)
  const { conversion } = await convert(service, { options: { fail: 'refuse' } }, ada.session)
  await until(() => failures.messages.length === 1)
  t.match(JSON.parse(failures.messages[0]!.body), {
    type: 'conversion.failed',
    data: { id: conversion.id, error: { code: 'CONVERSION_ERROR' } },
  })
  t.strictSame([off.messages, others.messages], [[], []])
})

t.test('a batch is told of once, at its end', async (t) => {
  const { session } = await signUp(service, 'pro')
  const server = await listen()
  await create({ url: server.url, events: ['batch.completed'] }, session)
  const entries = [{}, { options: { fail: 'refuse' } }, { fileId: 'uploads/none' }]
  const { batchId, conversions } = await startBatch(service, entries, session)
  for (const { conversionId } of conversions) if (conversionId) await finish(service, conversionId, session)
  await until(() => server.messages.length === 1)
  t.match(JSON.parse(server.messages[0]!.body), {
    type: 'batch.completed',
    data: { id: batchId, status: 'completed', total: 2, completed: 1, failed: 1 },
  })
})

t.test('what fails is tried again with the same id; redirects fail', async (t) => {
  const { session } = await signUp(service)
  const server = await listen((at) => [[503], [302, { location: 'http://127.0.0.1/' }], [200]][at] as [number])
  const { webhook } = (await create({ url: server.url }, session)).json
  const deliveries = async () => (await get(service, `/api/webhooks/${webhook.id}/deliveries`, session)).json.deliveries
  t.equal((await post(service, `/api/webhooks/${webhook.id}/test`, {}, session)).status, 202)
  for (const [attempts, lastStatus] of [
    [1, 503],
    [2, 302],
  ]) {
    await until(async () => (await deliveries())[0].attempts === attempts)
    t.match((await deliveries())[0], { status: 'pending', lastStatus, lastError: `The server answered ${lastStatus}` })
    hurry()
    service.kernel.webhooks.poke()
  }
  await until(async () => (await deliveries())[0].status === 'delivered')
  t.equal(new Set(server.messages.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(server.messages.length, 3)
})

t.test('a server that is gone switches its endpoint off', async (t) => {
  const { session } = await signUp(service)
  const server = await listen(() => [410])
  const { webhook } = (await create({ url: server.url }, session)).json
  await post(service, `/api/webhooks/${webhook.id}/test`, {}, session)
  const path = `/api/webhooks/${webhook.id}`
  await until(async () => (await get(service, path, session)).json.webhook.active === false)
  t.match((await get(service, `${path}/deliveries`, session)).json.deliveries[0], { status: 'failed', lastStatus: 410 })
})

t.test('while a secret is changed, both sign', async (t) => {
  const { session } = await signUp(service)
  const server = await listen()
  const { webhook, secret } = (await create({ url: server.url }, session)).json
  const rotated = (await post(service, `/api/webhooks/${webhook.id}/rotate`, {}, session)).json
  t.not(rotated.secret, secret)
  await post(service, `/api/webhooks/${webhook.id}/test`, {}, session)
  await until(() => server.messages.length === 1)
  const [{ headers, body }] = server.messages as [Message]
  for (const each of [secret, rotated.secret]) t.match(new Webhook(each).verify(body, headers), { type: 'test' })
})

t.test('the pauses between attempts', async (t) => {
  const pauses = []
  const failed = { status: 500, error: 'x', retryAfter: undefined }
  for (let attempts = 0; ; attempts++) {
    const { next_at } = afterAttempt({ attempts }, failed, 0, 0)
    if (next_at === null) break
    pauses.push(next_at / 1000)
  }
  t.strictSame(pauses, [5, 300, 1800, 7200, 18_000, 36_000, 50_400])
  t.equal(afterAttempt({ attempts: 0 }, { ...failed, retryAfter: 60_000 }, 0, 0).next_at, 60_000, 'Retry-After counts')
  t.equal(afterAttempt({ attempts: 0 }, failed, 0, 1).next_at, 6000, 'with jitter')
})

t.test('endpoints of accounts and of teams', async (t) => {
  const ada = await signUp(service, 'business')
  const bob = await signUp(service)
  const { webhook } = (await create({ url: 'https://example.org/a' }, ada.session)).json
  const path = `/api/webhooks/${webhook.id}`
  t.match((await get(service, '/api/webhooks', ada.session)).json.webhooks, [{ id: webhook.id, active: true }])
  const changed = await patch(service, path, { events: ['batch.completed'], active: false }, ada.session)
  t.match(changed.json.webhook, { url: 'https://example.org/a', events: ['batch.completed'], active: false })
  for (const body of [{}, { url: 'x' }, { url: 'https://example.org', events: ['nosuch'] }])
    t.match(await create(body, ada.session), refusal(400, 'BAD_REQUEST'))
  for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'http://user:word@example.org/'])
    t.match(await create({ url }, ada.session), refusal(400, 'URL_NOT_ALLOWED'), url)
  for (let n = 1; n < 10; n++) await create({ url: 'https://example.org/a' }, ada.session)
  t.match(await create({ url: 'https://example.org/a' }, ada.session), refusal(403, 'FORBIDDEN', /10 webhooks/))
  t.equal((await call(service, 'DELETE', path, { headers: ada.session })).status, 204)
  t.match(await get(service, path, ada.session), refusal(404, 'NOT_FOUND'))

  const server = await listen()
  const members = [{ email: bob.email, role: 'member' }]
  const { team } = (await post(service, '/api/teams', { name: 'Press', members }, ada.session)).json
  await acceptAll(service, bob)
  const forTeam = { ...bob.session, 'x-team-id': team.id }
  await create({ url: server.url }, forTeam)
  const { id } = await start(service, {}, forTeam)
  await until(() => server.messages.length === 1)
  t.match(JSON.parse(server.messages[0]!.body).data, { id }, 'a conversion for a team is told to the team')
})
