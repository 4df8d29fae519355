/**
 * Storage quota: who is charged for uploads and results, when files are refused, and that refused files leave nothing.
 */
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import {
  call,
  form,
  get,
  pathOf,
  post,
  refusal,
  type Service,
  startService,
  storedFiles,
  upload,
} from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { signUp } from './people.ts'

const KB = 1000
const ONE = 100 * KB
const stub = (bytes = ONE, name?: string) => form(`STUB\n${'x'.repeat(bytes - 5)}`, name)

/** A service behind a trusted proxy, with a storage quota of 350 kB for guests. */
const serve = (more: object = {}) =>
  startService({
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    change: ({ plans }) => {
      const open = { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null }
      for (const name of ['guest', 'free'] as const) Object.assign(plans[name], open, { storedBytes: 350 * KB }, more)
    },
  })

const from = (address: string, fingerprint?: string) => ({
  'x-forwarded-for': address,
  ...(fingerprint && { 'x-guest-fingerprint': fingerprint }),
})
const remove = (service: Service, path: string, headers: Record<string, string>) =>
  call(service, 'DELETE', path, { headers })
const incoming = (service: Service) => readdir(join(service.dataDir, 'incoming'))
const full = refusal(429, 'QUOTA_EXCEEDED')

t.test('the storage quota of guests applies per address and per fingerprint', async (t) => {
  await using service = await serve()
  const ada = from('192.0.2.1', 'ada')
  const files: string[] = []
  for (let n = 0; n < 3; n++) files.push((await upload(service, stub(), ada)).json.file.path)
  const refused = await upload(service, stub(), ada)
  t.match(refused, full)
  t.match(refused.json.error.message, /stores 350 kB.*300 kB are used.*\d{4}-\d\d-\d\dT.*Z/, 'limit, use and when')
  const wait = Number(refused.headers.get('retry-after'))
  t.ok(wait > 0 && wait <= 7220, `frees within 2 h: ${wait} s`)
  t.same([await storedFiles(service), await incoming(service)], [3, []], 'nothing of it stays')

  for (const [who, headers] of Object.entries({
    'another fingerprint': from('192.0.2.1', 'new'),
    'no fingerprint': from('192.0.2.1'),
    'another address': from('192.0.2.99', 'ada'),
  })) {
    t.match(await upload(service, stub(), headers), full, `${who} gets no room`)
  }
  t.equal((await upload(service, stub(), from('192.0.2.99', 'new'))).status, 201, 'both new: another guest')
  await upload(service, stub(300 * KB), from('2001:db8:1:2::1', 'six'))
  t.match(await upload(service, stub(), from('2001:db8:1:2:ffff::9', 'seven')), full, 'a /64 is one address')
  t.equal((await upload(service, stub(), from('2001:db8:1:3::1', 'eight'))).status, 201)

  const start = (bytes: number) => upload(service, stub(bytes), ada)
  t.equal((await start(50 * KB)).status, 201, 'to the last byte')
  const none = await post(
    service,
    '/api/conversions',
    { fileId: decodeURIComponent(files[0]!.slice(11)), toFormat: 'bust' },
    ada,
  )
  t.match(none, full, 'no conversion starts where no result fits')
  t.equal((await remove(service, files[0]!, ada)).status, 204)
  t.equal((await start(ONE)).status, 201, 'what is deleted is given back at once')
  t.match(await start(10), full, 'once')
})

t.test('forty concurrent uploads store exactly what fits', async (t) => {
  await using service = await serve()
  const ask = (n: number) => upload(service, stub(), from(`198.51.100.${n}`, 'the-same'))
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)))
  t.equal(answers.filter(({ status }) => status === 201).length, 3)
  t.same([...new Set(answers.map(({ status }) => status))].sort(), [201, 429])
  t.same([await storedFiles(service), await incoming(service)], [3, []])
})

/**
 * Sends a form of unknown length, piece by piece, until the service answers. Resolves to the answer and the sent bytes.
 */
async function trickle(service: Service, pieces: number): Promise<{ head: string; sent: number }> {
  const socket = connect(service.port, '127.0.0.1').on('error', () => {})
  let head = ''
  socket.on('data', (chunk) => (head += chunk))
  const piece = 'x'.repeat(10 * KB)
  socket.write(
    'POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n',
  )
  const chunk = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
  chunk('--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\n')
  let sent = 0
  for (let n = 0; n < pieces && !head; n++) {
    chunk(piece)
    sent += piece.length
    await delay(5)
  }
  await until(() => head !== '')
  socket.destroy()
  return { head, sent }
}

t.test('an upload that does not fit is refused while it arrives, or earlier', async (t) => {
  await using service = await serve()
  const { head, sent } = await trickle(service, 500)
  t.match(head, /^HTTP\/1\.1 429 .*QUOTA_EXCEEDED/s)
  t.ok(sent >= 340 * KB && sent < 2000 * KB, `refused after ${sent} bytes`)
  t.same([await storedFiles(service), await incoming(service)], [0, []], 'nothing of it stays')

  const many = await Promise.all(Array.from({ length: 8 }, () => trickle(service, 500)))
  // All of many.
  t.ok(many.every(({ head }) => head.startsWith('HTTP/1.1 429')))
  t.ok(many.reduce((sum, { sent }) => sum + sent, 0) < 3000 * KB, 'together, and not each for itself')

  await upload(service, stub(200 * KB), from('192.0.2.1'))
  const socket = connect(service.port, '127.0.0.1')
  let answer = ''
  socket.write(
    'POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Length: 300000\r\nExpect: 100-continue\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n',
  )
  for await (const chunk of socket) if ((answer += chunk).includes('\r\n\r\n{')) break
  t.match(answer, /^HTTP\/1\.1 429 /, 'announced: refused before a byte, and none is asked for')
})

t.test('an import is charged like an upload', async (t) => {
  await using origin = await startService()
  const file = (await upload(origin, stub(300 * KB))).json.file
  const { json } = await post(origin, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' })
  const { conversion } = (await get(origin, `/api/conversions/${json.conversionId}?wait=30`)).json
  await using service = await startService({
    change: ({ plans, imports }) => {
      plans.guest.storedBytes = 350 * KB
      imports.allowNetworks = ['127.0.0.1']
    },
  })
  const ask = () => post(service, '/api/import/url', { url: origin.base + pathOf(conversion.outputUrl) })
  t.equal((await ask()).status, 201)
  t.match(await ask(), full)
  t.same([await storedFiles(service), await incoming(service)], [1, []])
})

t.test('a result is charged, refunded on deletion, and refused if it does not fit', async (t) => {
  await using service = await serve()
  const { session } = await signUp(service)
  const stored = async () => (await get(service, '/api/users/me', session)).json.usage.storedBytes
  const convert = async (fileId: string) => {
    const { json } = await post(service, '/api/conversions', { fileId, toFormat: 'bust' }, session)
    return (await get(service, `/api/conversions/${json.conversionId}?wait=30`, session)).json.conversion
  }
  t.equal(await stored(), 0)
  const { fileId, path } = (await upload(service, stub(), session)).json.file
  t.equal(await stored(), ONE)
  const first = await convert(fileId)
  t.match(first, { status: 'completed', outputSize: ONE })
  t.equal(await stored(), 2 * ONE)
  const second = await convert(fileId)
  t.equal(await stored(), 3 * ONE)
  const third = await convert(fileId)
  t.match(third, { status: 'failed', error: { code: 'RESOURCE_LIMIT', message: /stores 350 kB.*300 kB are used/ } })
  t.equal(await stored(), 3 * ONE, 'what failed takes nothing')
  t.equal(await storedFiles(service), 3, 'and its file is gone')
  t.equal((await get(service, '/api/users/me', session)).json.usage.conversionsToday, 3, 'its engine ran')

  const gone = Array.from({ length: 4 }, () => remove(service, `/api/conversions/${first.id}`, session))
  t.ok((await Promise.all(gone)).some(({ status }) => status === 204))
  t.equal(await stored(), 2 * ONE, 'deleted four times at once, it is given back once')
  await remove(service, path, session)
  await remove(service, `/api/conversions/${second.id}`, session)
  t.equal(await stored(), 0)
  const { limits } = (await get(service, '/api/users/me', session)).json
  t.same([limits.storedBytes, limits.maxResultSize], [350 * KB, 1e9])
})

t.test('expired files are refunded; null removes the limit', async (t) => {
  await using service = await serve({ storedBytes: 150 * KB })
  await upload(service, stub())
  t.match(await upload(service, stub()), full)
  await service.kernel.files.sweep(Date.now() + 10 * 86_400_000, 10)
  t.equal((await upload(service, stub())).status, 201)
  service.kernel.config.plans.guest.storedBytes = null
  t.equal((await upload(service, stub())).status, 201)
})

t.test('a result is at most as large as the plan allows', async (t) => {
  await using service = await serve({ maxResultSize: 60 * KB })
  const convert = async (bytes: number) => {
    const { fileId } = (await upload(service, stub(bytes))).json.file
    const { json } = await post(service, '/api/conversions', { fileId, toFormat: 'bust' })
    return (await get(service, `/api/conversions/${json.conversionId}?wait=30`)).json.conversion
  }
  t.match(await convert(70 * KB), {
    status: 'failed',
    error: { code: 'RESOURCE_LIMIT', message: 'The result would be larger than the 0.06 MB that your plan allows' },
  })
  t.match(await convert(60 * KB), { status: 'completed', outputSize: 60 * KB })
})
