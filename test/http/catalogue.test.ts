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

  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=1${cursor}`)
    t.equal(page.total, 3)
    paged.push(...slugs(page))
    if (!page.nextCursor) break
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  t.strictSame(paged, slugs(all), 'page by page')
})

t.test('filters', async (t) => {
  t.strictSame(slugs(await list('?from=stub')), ['optimize-stub', 'stub-to-bust'])
  t.strictSame(slugs(await list('?to=stb')), ['bust-to-stub', 'optimize-stub'], 'by an alias')
  t.strictSame(slugs(await list('?from=STUB&to=bust&category=stub')), ['stub-to-bust'])
  for (const query of ['?from=nosuch', '?to=__proto__', '?from=unknown', '?category=cad']) {
    t.strictSame(await list(query), { tools: [], total: 0, nextCursor: null }, query)
  }
  for (const query of [
    'limit=x',
    'limit=-1',
    'limit=0',
    'limit=1e9',
    'cursor=%00nope',
    'cursor=bm9uZQ',
    'category=nosuch',
    'from=a&from=b',
  ]) {
    t.match(await get(service, `/api/tools?${query}`), refusal(400, 'BAD_REQUEST'), query)
  }
})

t.test('a disabled tool is listed as disabled', async (t) => {
  const tool = service.kernel.catalogue.tool('stub-to-bust')!
  for (const enabled of [false, true]) {
    tool.enabled = enabled
    t.equal((await get(service, '/api/tools/stub-to-bust')).json.tool.enabled, enabled)
  }
})

t.test('the examples of the document are about an open tool', async (t) => {
  const target = async () => {
    const { paths } = (await get(service, '/api/openapi.json')).json
    return paths['/api/conversions'].post.requestBody.content['application/json'].example.toFormat
  }
  t.strictSame([await target(), await target()], ['stub', 'stub'])
  service.kernel.catalogue.close(new Set(['bust-to-stub']))
  t.equal(await target(), 'bust')
  service.kernel.catalogue.close(new Set())
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
