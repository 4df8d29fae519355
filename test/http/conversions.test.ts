import t from 'tap'
import { call, convert, get, start, startService } from '../harness/service.ts'

const service = await startService()
t.teardown(() => service[Symbol.asyncDispose]())

t.test('the record of a completed conversion', async (t) => {
  const { conversion } = await convert(service)
  t.strictSame(Object.keys(conversion).sort(), [
    ...[
      'completedAt',
      'createdAt',
      'error',
      'fromFormat',
      'id',
      'name',
      'outputFileId',
      'outputSize',
      'outputUrl',
      'progress',
      'sourceSize',
      'status',
      'toFormat',
    ],
  ])
  t.match(conversion, { status: 'completed', progress: 100, fromFormat: 'stub', toFormat: 'bust' })
  t.match(conversion.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.match(conversion.outputFileId, /^outputs\//)
})

t.test('the record of a failed conversion', async (t) => {
  const { conversion } = await convert(service, { options: { fail: 'refuse' } })
  t.strictSame(Object.keys(conversion).sort(), [
    'createdAt',
    'error',
    'fromFormat',
    'id',
    'name',
    'progress',
    'sourceSize',
    'status',
    'toFormat',
  ])
  t.strictSame(Object.keys(conversion.error).sort(), ['code', 'message'])
  t.equal(conversion.error.code, 'CONVERSION_ERROR')
})

t.test('the answer to a start has the URL of the conversion', async (t) => {
  const { started, id } = await start(service)
  t.equal(started.status, 201)
  t.strictSame(Object.keys(started.json).sort(), ['conversionId', 'queueDepth', 'queued'])
  t.equal(started.headers.get('location'), `/api/conversions/${id}`)
})

t.test('waiting', async (t) => {
  const { id } = await start(service, { options: { sleep: 90_000 } })
  const path = `/api/conversions/${id}`
  let began = performance.now()
  t.match((await get(service, `${path}?wait=1`)).json.conversion.status, /queued|processing/, 'in vain')
  t.ok(performance.now() - began >= 950, 'for as long as was asked')

  began = performance.now()
  let isWaiting = true
  const waiting = get(service, `${path}?wait=30`).finally(() => void (isWaiting = false))
  while (isWaiting && !service.kernel.events.listenerCount(id)) await new Promise(setImmediate)
  t.match((await get(service, `${path}?wait=0`)).json.conversion.status, /queued|processing/)
  t.ok(isWaiting, 'or not at all: the request before still waits')

  t.equal((await call(service, 'DELETE', path)).status, 204)
  t.match(
    (await waiting).json.conversion,
    { status: 'failed', error: { code: 'CANCELLED' } },
    'the end is told at once',
  )
  t.ok(performance.now() - began < 30_000)

  for (const wait of ['-1', '31', 'x', '1e1', '1.5', '', ' 5']) {
    const reply = await get(service, `${path}?wait=${wait}`)
    t.match(
      reply,
      { status: 400, json: { error: { code: 'BAD_REQUEST', message: 'wait must be an integer from 0 to 30' } } },
      `wait=${wait}`,
    )
  }
  t.equal((await get(service, `${path}?wait=1&wait=2`)).status, 400, 'twice')
  t.equal((await get(service, `${path}?nosuch=1`)).status, 200, 'unknown parameters are ignored')
})

t.test('a client that stops waiting is no longer served', async (t) => {
  const { id } = await start(service, { options: { sleep: 5000 } })
  const leaving = new AbortController()
  const waiting = call(service, 'GET', `/api/conversions/${id}?wait=30`, { signal: leaving.signal }).catch(() => 'left')
  while (!service.kernel.events.listenerCount(id)) await new Promise(setImmediate)
  leaving.abort()
  t.equal(await waiting, 'left')
  while (service.kernel.events.listenerCount(id)) await new Promise(setImmediate)
  await call(service, 'DELETE', `/api/conversions/${id}`)
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
  t.ok(
    (await list()).conversions.every((record: any) => record.outputUrl),
    'with their URLs',
  )
  t.strictSame(idsOf(await list('?status=completed')), ids)
  t.strictSame(idsOf(await list('?status=failed')), [])
  t.strictSame((await get(service, '/api/conversions', { 'x-guest-fingerprint': 'other' })).json, {
    conversions: [],
    nextCursor: null,
  })

  for (const query of [
    'limit=x',
    'limit=-1',
    'limit=0',
    'limit=201',
    'limit=1e9',
    'cursor=%00',
    "cursor='--",
    'cursor=',
    'status=nope',
    'status=',
  ]) {
    t.match(
      await get(service, `/api/conversions?${query}`, me),
      { status: 400, json: { error: { code: 'BAD_REQUEST' } } },
      query,
    )
  }
})
