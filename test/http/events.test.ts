/** Streams of events over real sockets. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import t from 'tap'
import { listen } from '../harness/listen.ts'
import { call, get, pathOf, post, serviceOf, start, startBatch, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { beside } from './beside.ts'
import { acceptAll, makeKey, signUp } from './people.ts'

// Credentials are checked every five seconds.
t.setTimeout(60 * 60_000)

const service = await serviceOf(t, {
  change: ({ plans, http }) => {
    Object.assign(plans.guest, { pendingJobs: null, conversionsPerDay: null, filesPerBatch: 20 })
    http.streamComment = 200
    // All guests of this test have one address.
    http.streams = 100
  },
})

let guests = 0
const guest = () => ({ 'x-guest-fingerprint': `guest-${++guests}` })
const ended = (id?: string) => (heard: { data: any }) =>
  ['completed', 'failed'].includes(heard.data.status) && (!id || heard.data.id === id)
const numberOf = ({ id }: { id?: string }) => Number(id?.split('-')[1])
/** A record without the token in its URL, which is new with each answer. */
const lasting = ({ outputUrl, ...record }: any) => ({ ...record, outputUrl: outputUrl?.split('?')[0] })

t.test('a conversion is told as polling shows it', async (t) => {
  const headers = guest()
  const ada = await signUp(service)
  const stream = await listen(service, '/api/events', { ...ada.session, ...headers })
  t.match(Object.fromEntries(stream.response.headers), {
    'content-type': /^text\/event-stream/,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'content-encoding': undefined,
  })
  const { id } = await start(service, { options: { sleep: 1000 } }, headers)
  await stream.until(ended())
  const told = stream.heard.filter(({ event }) => event === 'conversion').map(({ data }) => data)
  const polled = (await get(service, `/api/conversions/${id}`, headers)).json.conversion
  t.strictSame(lasting(told.at(-1)), lasting(polled))
  t.strictSame(
    [...new Set(told.map(({ status }) => status))].filter((status) => status !== 'queued'),
    ['processing', 'completed'],
  )
  const shown = told.map(({ progress }) => progress)
  const grown = shown.toSorted((a, b) => a - b)
  t.strictSame(shown, grown, 'progress never falls')
  t.ok(
    shown.some((percent) => percent > 0 && percent < 100),
    `progress is told: ${shown}`,
  )
  t.equal((await get(service, pathOf(told.at(-1).outputUrl))).status, 200)
  stream.close()
})

t.test('a waiting conversion tells its place in the queue, also when it moves up', async (t) => {
  const headers = guest()
  const heavy = { options: { sleep: 60_000, heavy: true } }
  // A guest has one heavy conversion at a time.
  const [running, , last] = [
    await start(service, heavy, headers),
    await start(service, heavy, headers),
    await start(service, heavy, headers),
  ]
  const stream = await listen(service, `/api/events?conversion=${last.id}`, headers)
  await stream.until(({ data }) => data.queuePosition === 2)
  await call(service, 'DELETE', `/api/conversions/${running.id}`, { headers })
  const { data } = await stream.until(({ data }) => data.queuePosition === 1)
  t.match(data, { id: last.id, status: 'queued' })
  const polled = (await get(service, `/api/conversions/${running.id}`, headers)).json.conversion
  t.notOk('queuePosition' in polled, 'it does not wait')
  stream.close()
  await call(service, 'DELETE', '/api/files/all', { headers })
})

t.test('a stream can be narrowed', async (t) => {
  const headers = guest()
  const one = await start(service, { options: { sleep: 600 } }, headers)
  await start(service, {}, headers)
  for (const path of [`/api/events?conversion=${one.id}`, `/api/conversions/${one.id}/events`]) {
    const stream = await listen(service, path, headers)
    await stream.until(ended())
    t.strictSame([...new Set(stream.heard.map(({ event, data }) => `${event} ${data.id}`))], [`conversion ${one.id}`])
    stream.close()
  }
  const both = await get(service, `/api/events?conversion=${one.id}&batch=x`, headers)
  t.match(both.json.error, { code: 'BAD_REQUEST' })
})

t.test('a batch is told without its conversions, which are told too', async (t) => {
  const headers = guest()
  const everything = await listen(service, '/api/events', headers)
  const { batchId } = await startBatch(service, Array(8).fill({ options: { sleep: 300 } }), headers)
  const narrowed = await listen(service, `/api/events?batch=${batchId}`, headers)
  for (const stream of [everything, narrowed]) {
    const { data } = await stream.until((heard) => heard.event === 'batch' && ended(batchId)(heard))
    const { conversions: _, ...polled } = (await get(service, `/api/conversions/batch/${batchId}`, headers)).json.batch
    t.strictSame(lasting(data), lasting(polled))
    t.match(data, { total: 8, completed: 8, failed: 0, progress: 100 })
    const ids = stream.heard
      .filter((heard) => heard.event === 'conversion' && ended()(heard))
      .map(({ data }) => data.id)
    t.equal(new Set(ids).size, 8, 'each conversion')
    stream.close()
  }
  t.notOk(narrowed.heard.some(({ event }) => event === 'usage'))
  const usage = everything.heard.filter(({ event }) => event === 'usage').map(({ data }) => data)
  t.match(usage[0], { conversionsToday: Number, bytesToday: Number, pendingJobs: 0, storedBytes: Number })
})

t.test('nobody hears of others; members of a team hear of its conversions', async (t) => {
  const ada = await signUp(service, 'pro')
  const bob = await signUp(service)
  const key = await makeKey(service, ada)
  const members = [{ email: bob.email, role: 'member' }]
  const { team } = (await post(service, '/api/teams', { name: 'x', members }, ada.session)).json
  const forTeam = { ...bob.session, 'x-team-id': team.id }
  t.equal((await get(service, '/api/events', forTeam)).status, 404, 'not yet')
  await acceptAll(service, bob)
  const [byKey, byTeam, ...others] = await Promise.all(
    [key.bySecret, forTeam, bob.session, guest(), {}].map((headers) => listen(service, '/api/events', headers)),
  )
  const own = await start(service, {}, ada.session)
  const shared = await start(service, {}, { ...ada.session, 'x-team-id': team.id })
  await byKey!.until(ended(own.id))
  await byTeam!.until(ended(shared.id))
  t.notOk(byTeam!.heard.some(({ event, data }) => event === 'usage' || data.id === own.id))
  // A comment that comes later shows that nothing else is on its way.
  for (const stream of others) {
    const { comments } = stream
    await stream.until(() => stream.comments > comments)
    t.notOk(stream.heard.some(({ event }) => event !== 'usage'))
    stream.close()
  }
  byKey!.close()
  await service.kernel.teams.change(ada.id, team.id, { members: [{ email: bob.email, role: 'none' }] })
  await byTeam!.ended
})

t.test('a stream continues after the last event, or begins again', async (t) => {
  const headers = guest()
  const first = await listen(service, '/api/events', headers)
  const before = await start(service, {}, headers)
  const last = await first.until(ended(before.id))
  // The usage comes a little later, and then the client knows everything.
  const seen = await first.until((heard) => heard.event === 'usage' && numberOf(heard) > numberOf(last))
  first.close()
  const missed = await start(service, {}, headers)
  await get(service, `/api/conversions/${missed.id}?wait=30`, headers)
  const idsOf = (stream: Awaited<ReturnType<typeof listen>>) => [
    ...new Set(stream.heard.filter(({ event }) => event === 'conversion').map(({ data }) => data.id)),
  ]
  const second = await listen(service, '/api/events', { ...headers, 'last-event-id': seen.id! })
  await second.until(ended(missed.id))
  t.strictSame(idsOf(second), [missed.id], 'only what changed since')
  second.close()
  for (const id of ['nonsense', `${seen.id!.split('-')[0]}-999999`]) {
    const again = await listen(service, '/api/events', { ...headers, 'last-event-id': id })
    await again.until(ended(missed.id))
    t.strictSame(idsOf(again), [before.id, missed.id], `the state is sent again after ${id}`)
    again.close()
  }
})

t.test('HEAD shows the headers', async (t) => {
  const { status, headers, body } = await call(service, 'HEAD', '/api/events')
  t.match(
    { status, type: headers.get('content-type'), bytes: body.length },
    { status: 200, type: /event-stream/, bytes: 0 },
  )
})

t.test('an owner has so many streams, an address four times as many, larger networks more', async (t) => {
  const { http } = service.kernel.config
  await using few = await beside(service, { trustedProxies: ['127.0.0.1'], http: { ...http, streams: 1 } })
  const streams: Awaited<ReturnType<typeof listen>>[] = []
  const from = (address: string, who = guest()) => ({ ...who, 'x-forwarded-for': address })
  const open = async (count: number, addressOf: (n: number) => string) => {
    for (let n = 0; n < count; n++) streams.push(await listen(few, '/api/events', from(addressOf(n))))
  }
  await open(5, () => '192.0.2.1')
  await open(4, (n) => `2001:db8:1:${n % 2}::1`)
  await open(13, (n) => `2001:db8:1:${n + 2}::1`)
  const same = guest()
  for (let n = 0; n < 2; n++) streams.push(await listen(few, '/api/events', from('2001:db8:2::1', same)))
  const gone: number[] = []
  for (const [at, { ended }] of streams.entries()) {
    ended.then(
      () => gone.push(at),
      () => {},
    )
  }
  await until(() => gone.length >= 3)
  const first = 'the first of two of an owner, of five of an address, and of seventeen of a /56'
  t.strictSame(
    gone.toSorted((a, b) => a - b),
    [0, 5, 22],
    first,
  )
  for (const stream of streams) stream.close()
})

t.test('a revoked credential ends its streams', async (t) => {
  const ada = await signUp(service, 'pro')
  const bob = await signUp(service)
  const cy = await signUp(service)
  const gone = await makeKey(service, ada)
  const kept = await makeKey(service, ada)
  const [byGone, byKept, byBob, byCy] = await Promise.all(
    [gone.bySecret, kept.bySecret, bob.session, cy.session].map((headers) => listen(service, '/api/events', headers)),
  )
  await call(service, 'DELETE', `/api/api-keys/${gone.id}`, { headers: ada.session })
  await service.kernel.accounts.users.change(bob.id, { status: 'suspended' })
  await service.kernel.accounts.users.setPassword({ id: cy.id }, null)
  await t.resolves(Promise.all([byGone!.ended, byBob!.ended, byCy!.ended]))
  const { id } = await start(service, {}, ada.session)
  await byKept!.until(ended(id))
  byKept!.close()
})

t.test('a stream ends by itself, and its connection stays', async (t) => {
  const { http } = service.kernel.config
  await using brief = await beside(service, { http: { ...http, streamLifetime: 300 } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (path: string) => {
    const sent = request({ port: brief.port, host: '127.0.0.1', path, agent }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    await once(answer, 'end')
    return { reused: sent.reusedSocket, complete: answer.complete as boolean }
  }
  t.match(await ask('/api/events'), { reused: false, complete: true })
  t.match(await ask('/api/formats'), { reused: true, complete: true })
  agent.destroy()
})

t.test('the end of the service ends its streams', async (t) => {
  const other = await startService()
  const stream = await listen(other, '/api/events')
  await other.kernel.close()
  await t.resolves(stream.ended)
  other.kernel.close = async () => {}
  await other[Symbol.asyncDispose]()
})

t.test('maintenance ends the streams', async (t) => {
  const stream = await listen(service, '/api/events', guest())
  service.kernel.settings.maintenance = true
  await t.resolves(stream.ended)
  service.kernel.settings.maintenance = false
})
