import t from 'tap'
import { call, convert, get, refusal, serviceOf, start } from '../harness/service.ts'

const service = await serviceOf(t)

t.test('the answer to a start has the URL of the conversion', async (t) => {
  const { started, id } = await start(service)
  t.equal(started.status, 201)
  t.strictSame(Object.keys(started.json).sort(), ['conversionId', 'queueDepth', 'queued'])
  t.equal(started.headers.get('location'), `/api/conversions/${id}`)
})

t.test('waiting', async (t) => {
  const { id } = await start(service, { options: { sleep: 90_000 } })
  const path = `/api/conversions/${id}`
  t.match((await get(service, `${path}?wait=1`)).json.conversion.status, /queued|processing/, 'in vain')
  const { report } = (await get(service, `${path}/report`)).json
  t.match(report, { engines: [], cpuSeconds: 0, wallSeconds: 0, peakMemory: 0, losses: [] }, 'nothing is used yet')

  let isWaiting = true
  const waiting = get(service, `${path}?wait=30`).finally(() => {
    isWaiting = false
  })
  t.match((await get(service, `${path}?wait=0`)).json.conversion.status, /queued|processing/)
  t.ok(isWaiting, 'or not at all: the request before still waits')

  t.equal((await call(service, 'DELETE', path)).status, 204)
  // The end is told at once.
  t.match((await waiting).json.conversion, { status: 'failed', error: { code: 'CANCELLED' } })

  for (const wait of ['-1', '31', '1.5', '']) {
    const reply = await get(service, `${path}?wait=${wait}`)
    t.match(reply, refusal(400, 'BAD_REQUEST', 'wait must be an integer from 0 to 30'), `wait=${wait}`)
  }
  t.equal((await get(service, `${path}?wait=1&wait=2`)).status, 400, 'twice')
  t.equal((await get(service, `${path}?nosuch=1`)).status, 200, 'unknown parameters are ignored')
})

t.test('the list', async (t) => {
  const me = { 'x-guest-fingerprint': 'lister' }
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.unshift((await convert(service, {}, me)).conversion.id)
  const list = async (query = '') => (await get(service, `/api/conversions${query}`, me)).json
  const idsOf = (page: any) => page.conversions.map(({ id }: { id: string }) => id)

  t.strictSame(idsOf(await list()), ids, 'newest first')
  t.equal((await list()).nextCursor, null)
  const first = await list('?limit=2')
  t.strictSame(idsOf(first), ids.slice(0, 2))
  const second = await list(`?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
  t.strictSame([idsOf(second), second.nextCursor], [ids.slice(2), null])
  // With their URLs.
  t.ok((await list()).conversions.every((record: any) => record.outputUrl))
  t.strictSame(idsOf(await list('?status=completed')), ids)
  t.strictSame(idsOf(await list('?status=failed')), [])
  t.strictSame((await get(service, '/api/conversions', { 'x-guest-fingerprint': 'other' })).json, {
    conversions: [],
    nextCursor: null,
  })

  for (const query of ['limit=x', 'limit=0', 'limit=201', 'cursor=%00', "cursor='--", 'cursor=', 'status=nope'])
    t.match(await get(service, `/api/conversions?${query}`, me), refusal(400, 'BAD_REQUEST'), query)
})

t.test('the source of a conversion, until it is removed', async (t) => {
  const { conversion, file } = await convert(service)
  const path = `/api/conversions/${conversion.id}/source`
  t.strictSame((await get(service, path)).json, { file })
  await call(service, 'DELETE', file.path)
  t.match(await get(service, path), refusal(404, 'NOT_FOUND'))
})

// test/jobs/lanes.test.ts has guests that share an address.
t.test('at home, each guest has its own pending conversions', async (t) => {
  const { config } = service.kernel
  config.plans.guest = { ...config.plans.guest, pendingJobs: 1, conversionsPerDay: null }
  config.profile = 'home'
  for (const guest of ['a', 'b']) {
    const { started } = await start(service, { options: { sleep: 90_000 } }, { 'x-guest-fingerprint': guest })
    t.equal(started.status, 201)
  }
})
