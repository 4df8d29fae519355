/**
 * Services over HTTP with files elsewhere, whose server breaks. What a client does with a bucket:
 * ../nodes/journey.test.ts.
 */
import t from 'tap'
import { call, convert, finish, get, post, start, startService, upload } from '../../harness/service.ts'
import { until } from '../../harness/until.ts'
import { bucketOf } from './bucket.ts'

const { driver, proxy, url: STORAGE_URL } = await bucketOf(t)
/** Its conversions and downloads find nothing in the cache. */
const service = await startService({ env: { STORAGE_URL }, change: (config) => (config.storage.cacheSize = 0) })
t.teardown(() => service[Symbol.asyncDispose]())
const isGet = (line: string) => /^GET .*(uploads|outputs)/.test(line)

t.test('a server that is away', async (t) => {
  const { file } = (await upload(service)).json
  const { download } = await convert(service)
  proxy.fault = () => ({ status: 503 })
  const away = { status: 503, json: { error: { code: 'NOT_READY', message: /storage/ } } }
  t.match(await get(service, download), away)
  const stored = (await driver.list()).stored
  t.match(await upload(service), away)
  // The answer of the last check counts for a few seconds.
  await until(async () => (await get(service, '/readyz')).status !== 200)
  t.match(await get(service, '/readyz'), { ...away, json: { error: { message: /storage \(does not answer\)/ } } })
  t.match(await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' }), away)
  proxy.fault = ({ method, url }) => (isGet(`${method} ${url}`) ? { status: 503 } : undefined)
  const { conversionId } = (await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' })).json
  const conversion = await finish(service, conversionId)
  t.match(conversion, {
    status: 'failed',
    error: { code: 'INTERNAL_SERVER_ERROR', message: /storage does not answer/ },
  })
  proxy.fault = () => undefined
  t.equal((await get(service, '/readyz')).status, 200)
  const seen = (message: string) => service.log.filter(({ msg, level }) => msg === message && (level as number) >= 30)
  const gone = seen('the storage is away').length
  t.ok(gone > 0 && gone <= 4, `one line for each time, not for each request: ${gone}`)
  await until(async () => (await get(service, '/readyz')).status === 200 && seen('the storage is back').length === gone)
  t.strictSame((await driver.list()).stored, stored, 'nothing is left of the refused upload')
  t.notMatch(JSON.stringify(service.log), /s3cret|X-Amz-|AWS4-HMAC/, 'the log has no credentials')
})

t.test('a cancelled conversion ends a fetch that hangs', async (t) => {
  proxy.fault = ({ method, url }) => (isGet(`${method} ${url}`) ? { stall: 0 } : undefined)
  const { id } = await start(service)
  await until(() => proxy.seen.some(isGet))
  await call(service, 'DELETE', `/api/conversions/${id}`)
  await until(() => service.kernel.scheduler.running() === 0)
  t.match((await get(service, `/api/conversions/${id}`)).json.conversion.error, { code: 'CANCELLED' })
})

t.test('downloads are redirected if the operator wants it', async (t) => {
  const redirecting = await startService({
    env: { STORAGE_URL, PUBLIC_URL: 'https://convert.example.org' },
    change: (config) => (config.storage.redirectDownloads = true),
  })
  t.teardown(() => redirecting[Symbol.asyncDispose]())
  const { download, conversion } = await convert(redirecting)
  const answer = await get(redirecting, download)
  t.match([answer.status, answer.headers.get('cache-control')], [302, 'private, no-store'])
  const file = await fetch(answer.headers.get('location')!)
  t.match(await file.text(), /Once upon a time/i)
  t.equal(file.headers.get('content-type'), 'application/octet-stream')
  t.match(file.headers.get('content-disposition'), /^attachment; filename=/)
  t.equal((await get(redirecting, download.replace('token=', 'token=x'))).status, 401, 'not without a token')
  t.equal((await call(redirecting, 'HEAD', download)).status, 200)
  const shown = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }
  t.equal((await get(redirecting, download, shown)).status, 200, 'a comparison on the page')
  t.ok(conversion.id)
  t.notMatch(JSON.stringify(redirecting.log), /X-Amz-Signature/, 'the log has no links')
  const change = (config: any) => (config.storage.redirectDownloads = true)
  await t.rejects(startService({ change }), { name: 'StartError', message: /needs an S3 server/ })
  const at = (endpoint: string) => `s3://bucket?region=r${endpoint && `&endpoint=${endpoint}`}`
  const related: [url: string, publicUrl: string][] = [
    [at(''), ''],
    [at(''), 'https://ec2-192-0-2-1.compute-1.amazonaws.com'],
    [at('https://files.example.org'), 'https://convert.example.org'],
  ]
  for (const [url, publicUrl] of related) {
    const env = { STORAGE_URL: url, ...(publicUrl && { PUBLIC_URL: publicUrl }) }
    await t.rejects(startService({ env, change }), { name: 'StartError', message: /PUBLIC_URL/ }, `${url} ${publicUrl}`)
  }
  const named = (config: any) => {
    change(config)
    config.http.hosts = ['127.0.0.1']
  }
  const env = { STORAGE_URL, PUBLIC_URL: 'https://convert.example.org' }
  await t.rejects(startService({ env, change: named }), { name: 'StartError', message: /http\.hosts/ })
})

t.test('a shared folder that is not there', async (t) => {
  const { dataDir } = service
  await t.rejects(startService({ env: { STORAGE_URL: `file://${dataDir}/none` } }), {
    name: 'StartError',
    message: /does not exist; mount or create it/,
  })
})
