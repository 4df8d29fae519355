/**
 * Storage quota: who is charged for uploads and results, when files are refused, and that refused files leave nothing.
 * test/jobs/stored-bytes.test.ts has uploads at the same time.
 */
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { call, form, get, post, raw, refusal, serviceOf, storedFiles, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { signUp } from './people.ts'

const KB = 1000
const ONE = 100 * KB
const text = (bytes: number) => `STUB\n${'x'.repeat(bytes - 5)}`
const stub = (bytes = ONE) => form(text(bytes))

/** Guests and accounts store 350 kB. */
const service = await serviceOf(t, {
  env: { TRUSTED_PROXIES: '127.0.0.1' },
  change: ({ plans, imports }) => {
    const open = { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null, storedBytes: 350 * KB }
    for (const plan of [plans.guest, plans.free]) Object.assign(plan, open)
    imports.allowNetworks = ['127.0.0.1']
  },
})
const { plans } = service.kernel.config

const from = (address: string, fingerprint?: string) => ({
  'x-forwarded-for': address,
  ...(fingerprint && { 'x-guest-fingerprint': fingerprint }),
})
const remove = (path: string, headers: Record<string, string>) => call(service, 'DELETE', path, { headers })
const incoming = () => readdir(join(service.dataDir, 'incoming'))
const full = refusal(429, 'QUOTA_EXCEEDED')

t.test('the quota of guests applies per address and per fingerprint', async (t) => {
  const ada = from('192.0.2.1', 'ada')
  const files: string[] = []
  for (let n = 0; n < 3; n++) files.push((await upload(service, stub(), ada)).json.file.path)
  const refused = await upload(service, stub(), ada)
  t.match(refused, full)
  t.match(refused.json.error.message, /stores 350 kB.*300 kB are used.*\d{4}-\d\d-\d\dT.*Z/, 'limit, use and when')
  const wait = Number(refused.headers.get('retry-after'))
  t.ok(wait > 0 && wait <= 7220, `frees within 2 h: ${wait} s`)
  t.same([await storedFiles(service), await incoming()], [3, []], 'nothing of it stays')

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

  t.equal((await upload(service, stub(50 * KB), ada)).status, 201, 'to the last byte')
  const fileId = decodeURIComponent(files[0]!.slice('/api/files/'.length))
  const none = await post(service, '/api/conversions', { fileId, toFormat: 'bust' }, ada)
  t.match(none, full, 'no conversion starts where no result fits')
  t.equal((await remove(files[0]!, ada)).status, 204)
  t.equal((await upload(service, stub(), ada)).status, 201, 'what is deleted is given back at once')
  t.match(await upload(service, stub(10), ada), full, 'once')
  await service.kernel.files.sweep(Date.now() + 10 * 86_400_000, 10)
  t.equal((await upload(service, stub(), ada)).status, 201, 'so is what has expired')
  plans.guest.storedBytes = null
  t.equal((await upload(service, stub(500 * KB), ada)).status, 201, 'null lifts the limit')
  plans.guest.storedBytes = 350 * KB
})

t.test('an upload that does not fit is refused while it arrives, or earlier', async (t) => {
  const before = await storedFiles(service)
  const head = (...lines: string[]) =>
    `${['POST /api/uploads HTTP/1.1', 'Host: localhost', ...lines, 'Content-Type: multipart/form-data; boundary=b'].join('\r\n')}\r\n\r\n`
  const socket = connect(service.port, '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.on('data', (part) => (answer += part))
  const chunk = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
  socket.write(head('X-Forwarded-For: 192.0.2.5', 'Transfer-Encoding: chunked'))
  chunk('--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\n')
  // It does not end.
  for (let n = 0; n < 40; n++) chunk('x'.repeat(10 * KB))
  await until(() => answer !== '')
  socket.destroy()
  t.match(answer, /^HTTP\/1\.1 429 .*QUOTA_EXCEEDED/s)
  t.same([await storedFiles(service), await incoming()], [before, []], 'nothing of it stays')

  const announced = head('X-Forwarded-For: 192.0.2.5', 'Content-Length: 500000', 'Expect: 100-continue')
  const early = await raw(service.port, announced)
  t.match(early.text, /^HTTP\/1\.1 429 /, 'announced: refused before a byte, and none is asked for')
})

t.test('an import is charged like an upload', async (t) => {
  await using origin = await startOrigin((_req, res) => void res.end(text(300 * KB)))
  const ask = () => post(service, '/api/import/url', { url: `${origin.base}/a.stub` }, from('192.0.2.6'))
  t.equal((await ask()).status, 201)
  t.match(await ask(), full)
  t.same(await incoming(), [])
})

t.test('a result is charged, refunded on deletion, and refused if it does not fit', async (t) => {
  const { session } = await signUp(service)
  const stored = async () => (await get(service, '/api/users/me', session)).json.usage.storedBytes
  const convert = async (fileId: string) => {
    const { json } = await post(service, '/api/conversions', { fileId, toFormat: 'bust' }, session)
    return (await get(service, `/api/conversions/${json.conversionId}?wait=30`, session)).json.conversion
  }
  const { fileId, path } = (await upload(service, stub(), session)).json.file
  t.equal(await stored(), ONE)
  const first = await convert(fileId)
  t.match(first, { status: 'completed', outputSize: ONE })
  t.equal(await stored(), 2 * ONE)
  const second = await convert(fileId)
  const files = await storedFiles(service)
  const inAnHour = Date.now() + 3_600_000
  const database = await openDatabase({ url: undefined, dataDir: service.dataDir })
  await database('files').where({ key: fileId }).update({ expires_at: inAnHour })
  await database.destroy()
  const third = await convert(fileId)
  t.match(third, { status: 'failed', error: { code: 'RESOURCE_LIMIT', message: /stores 350 kB.*300 kB are used/ } })
  const said = Date.parse(/expire from (\S+)/.exec(third.error.message)![1]!)
  t.ok(said >= inAnHour && said < inAnHour + 3_600_000, 'it says when the first of the files expires')
  t.equal(await stored(), 3 * ONE, 'what failed takes nothing')
  t.equal(await storedFiles(service), files, 'and its file is gone')

  const gone = Array.from({ length: 4 }, () => remove(`/api/conversions/${first.id}`, session))
  t.ok((await Promise.all(gone)).some(({ status }) => status === 204))
  t.equal(await stored(), 2 * ONE, 'deleted four times at once, it is given back once')
  plans.free.maxResultSize = ONE - 1
  const message = 'The result would be larger than the 0.099999 MB that your plan allows'
  t.match(await convert(fileId), { status: 'failed', error: { code: 'RESOURCE_LIMIT', message } })
  plans.free.maxResultSize = ONE
  const last = await convert(fileId)
  t.equal(last.status, 'completed')
  for (const id of [second.id, last.id]) await remove(`/api/conversions/${id}`, session)
  await remove(path, session)
  t.equal(await stored(), 0)
})
