/** Tools and formats: what is listed, compressed and cached. */
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { get, refusal, serviceOf } from '../harness/service.ts'

const service = await serviceOf(t)
const list = async (query = '') => (await get(service, `/api/tools${query}`)).json
const slugs = (page: any) => page.tools.map(({ slug }: { slug: string }) => slug)

t.test('tools', async (t) => {
  const all = await list()
  t.strictSame(slugs(all), ['bust-to-stub', 'optimize-stub', 'stub-to-bust'])
  t.strictSame([all.total, all.nextCursor], [3, null])
  t.strictSame(all.tools, service.kernel.catalogue.tools, 'as the catalogue has them')
  t.strictSame((await get(service, '/api/tools/stub-to-bust')).json, { tool: all.tools[2] })

  const first = await list('?limit=2')
  t.strictSame([slugs(first), first.total], [slugs(all).slice(0, 2), 3])
  const last = await list(`?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
  t.strictSame([slugs(last), last.nextCursor], [slugs(all).slice(2), null])
})

t.test('filters', async (t) => {
  t.strictSame(slugs(await list('?from=stub')), ['optimize-stub', 'stub-to-bust'])
  t.strictSame(slugs(await list('?to=stb')), ['bust-to-stub', 'optimize-stub'], 'by an alias')
  t.strictSame(slugs(await list('?from=STUB&to=bust&category=stub')), ['stub-to-bust'])
  for (const query of ['?from=nosuch', '?to=__proto__', '?from=unknown', '?category=cad']) {
    t.strictSame(await list(query), { tools: [], total: 0, nextCursor: null }, query)
  }
  for (const query of ['limit=x', 'limit=0', 'limit=1e9', 'cursor=bm9uZQ', 'category=nosuch', 'from=a&from=b'])
    t.match(await get(service, `/api/tools?${query}`), refusal(400, 'BAD_REQUEST'), query)
})

t.test('the examples of the document are about an open tool', async (t) => {
  const target = async () => {
    const { paths } = (await get(service, '/api/openapi.json')).json
    return paths['/api/conversions'].post.requestBody.content['application/json'].example.toFormat
  }
  t.strictSame([await target(), await target()], ['stub', 'stub'])
  service.kernel.catalogue.setClosedTools(new Set(['bust-to-stub']))
  t.equal(await target(), 'bust')
  service.kernel.catalogue.setClosedTools(new Set())
  t.equal(await target(), 'stub')
})

t.test('formats', async (t) => {
  const { formats } = (await get(service, '/api/formats')).json
  t.strictSame(formats, service.kernel.catalogue.formats)
  t.match(
    formats.find(({ extension }: { extension: string }) => extension === 'stub'),
    { aliases: ['stb'], mimeType: 'text/x-stub', category: 'stub', readable: true, writable: true },
  )
})

t.test('slugs may have aliases', async (t) => {
  for (const slug of ['stb-to-bust', 'STB-to-BUST'])
    t.equal((await get(service, `/api/tools/${slug}`)).json.tool?.slug, 'stub-to-bust', slug)
  t.equal((await get(service, '/api/tools/optimize-stb')).json.tool?.slug, 'optimize-stub')
  for (const slug of ['stb-to-stub', 'stb-to-nosuch', 'optimize-nosuch', '-to-', 'stb'])
    t.equal((await get(service, `/api/tools/${slug}`)).status, 404, slug)
})

/** One GET as sent over the wire: fetch would add headers and decompress the body. */
async function plain(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: Record<string, string | undefined>
    body: Buffer
  }>()
  request(service.base + path, { headers }, (res) => {
    const chunks: Buffer[] = []
    res.on('data', (chunk) => chunks.push(chunk))
    res.on('end', () =>
      resolve({ status: res.statusCode!, headers: res.headers as never, body: Buffer.concat(chunks) }),
    )
  })
    .on('error', reject)
    .end()
  return promise
}

t.test('the catalogue is compressed with an encoding that the client accepts', async (t) => {
  for (const path of ['/api/tools', '/api/openapi.json']) {
    const whole = await plain(path)
    t.match(whole.headers, { vary: /Accept-Encoding/i, 'cache-control': 'no-cache', etag: /^W\/"/ }, path)
    t.notOk(whole.headers['content-encoding'])
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const small = await plain(path, { 'accept-encoding': accepted })
      t.equal(small.headers['content-encoding'], encoding, accepted)
      t.equal(Number(small.headers['content-length']), small.body.length)
      t.ok(small.body.length < whole.body.length / 2, `${small.body.length} of ${whole.body.length} bytes`)
      t.same(decode(small.body), whole.body)
      t.equal(small.headers.etag, whole.headers.etag)
    }
    t.notOk((await plain(path, { 'accept-encoding': 'identity' })).headers['content-encoding'])
  }
})

t.test('a cached catalogue stays valid until an operator disables a tool', async (t) => {
  for (const path of ['/api/tools?limit=2', '/api/tools/stub-to-bust', '/api/formats', '/api/openapi.json']) {
    const { headers } = await plain(path)
    const again = await plain(path, { 'if-none-match': headers.etag! })
    t.match({ ...again, body: again.body.length }, { status: 304, body: 0, headers: { etag: headers.etag } }, path)
    t.notOk(again.headers['content-type'])
    t.equal(
      (await get(service, path, { 'if-none-match': headers.etag! })).status,
      304,
      'also for fetch, which adds no-cache',
    )
    t.equal((await plain(path, { 'if-none-match': '"other"' })).status, 200)
  }
  const { etag } = (await plain('/api/tools')).headers
  service.kernel.catalogue.setClosedTools(new Set(['stub-to-bust']))
  const changed = await plain('/api/tools', { 'if-none-match': etag!, 'accept-encoding': 'gzip' })
  t.equal(changed.status, 200)
  t.equal(JSON.parse(gunzipSync(changed.body).toString()).tools.at(-1).enabled, false)
  service.kernel.catalogue.setClosedTools(new Set())
  t.equal((await plain('/api/tools', { 'if-none-match': etag! })).status, 304)
})
