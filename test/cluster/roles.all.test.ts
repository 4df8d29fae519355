/** One node serves clients, two others convert different things: what they offer, and where a conversion runs. */
import sharp from 'sharp'
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { pluginsOf } from '../harness/program.ts'
import { until } from '../harness/until.ts'

t.setTimeout(900_000)

const cluster = await startCluster(t)
const worker = (plugin: string) => cluster.node({ plugins: pluginsOf(plugin) }, { ROLE: 'worker' })
// One after the other: nodes migrate the schema one after the other, too.
const stubs = await worker('stub')
const pictures = await worker('image')
const api = await cluster.node({ plugins: pluginsOf('stub', 'image', 'audio') }, { ROLE: 'api' })
const create = { width: 40, height: 30, channels: 3, background: '#c04010' } as const
const { fileId: picture } = await api.upload(await sharp({ create }).png().toBuffer(), 'a.png')
const { fileId: stub } = await api.upload('STUB\ntext', 'a.stub')

async function targets(extension: string): Promise<string[]> {
  const { formats } = (await api.call('GET', '/api/formats')).json
  return formats.find((format: any) => format.extension === extension)?.targets ?? []
}

/** The options that the OpenAPI document describes. */
async function described(): Promise<string[]> {
  const { components } = (await api.call('GET', '/api/openapi.json')).json
  const names = Object.keys(components.schemas)
  return names.filter((name) => /^(Image|Stub|Audio)Options$/.test(name)).sort()
}

t.test('it offers what the others can convert together', async (t) => {
  t.ok((await targets('stub')).includes('bust'))
  t.ok((await targets('png')).includes('webp'))
  t.strictSame(await described(), ['ImageOptions', 'StubOptions'])
  t.strictSame(await targets('wav'), [], 'no worker has the plugin for sound')
  const refused = await api.call('POST', '/api/conversions', { fileId: stub, fromFormat: 'wav', toFormat: 'mp3' })
  t.match(refused, { status: 400, json: { error: { code: 'UNSUPPORTED_FORMAT' } } })
  t.match((await api.call('GET', '/readyz')).json.parts.nodes.detail, /^3 living \(2 worker, 1 api\)/)
})

t.test('each conversion runs on the node that can convert it', async (t) => {
  for (const [file, to, node] of [
    [stub, 'bust', stubs],
    [picture, 'webp', pictures],
  ] as const) {
    const ids = await Promise.all([1, 2, 3].map(() => api.start(file, to)))
    for (const id of ids) {
      t.match(await api.finish(id), { status: 'completed' })
      t.match(await cluster.rows(`select node from conversions where id = '${id}'`), [{ node: node.id }])
    }
  }
})

t.test('while a node is away, what only it can convert waits, and nothing else does', async (t) => {
  await pictures.end('SIGTERM')
  const waiting = await Promise.all([1, 2, 3].map(() => api.start(picture, 'webp')))
  // They stand in front of it, and are of the same owner.
  t.match(await api.finish(await api.start(stub, 'bust')), { status: 'completed' })
  for (const id of waiting)
    t.match((await api.call('GET', `/api/conversions/${id}`)).json, { conversion: { status: 'queued' } })
  const again = await worker('image')
  for (const id of waiting) t.match(await api.finish(id), { status: 'completed' })
  await again.end('SIGTERM')
})

t.test('a node that does not come back: its conversions fail, and are not offered any more', async (t) => {
  const id = await api.start(picture, 'webp')
  const latest = '(select max(seen_at) from (select seen_at from nodes) as all_nodes)'
  await cluster.rows(
    `update nodes set seen_at = seen_at - 3600000 where role = 'worker' and seen_at + 12000 < ${latest}`,
  )
  await until(async () => !(await targets('png')).includes('webp'))
  t.match((await api.call('GET', `/api/conversions/${id}`)).json, { conversion: { status: 'queued' } })
  // The other one may have started just now, and the missing one come next. It fails when the other has worked for as
  // long.
  await cluster.rows("update nodes set started_at = started_at - 3600000 where role = 'worker'")
  const error = { code: 'CONVERSION_ERROR', message: /webp is not supported any more/ }
  t.match(await api.finish(id), { status: 'failed', error })
  t.strictSame(await described(), ['StubOptions'], 'the OpenAPI document follows')
})

t.test('without any node that converts, it stays ready for a while, and everything waits', async (t) => {
  await stubs.end('SIGKILL')
  const id = await api.start(stub, 'bust')
  t.equal((await fetch(`${api.base}/readyz`)).status, 200)
  await worker('stub')
  t.match(await api.finish(id), { status: 'completed' })
})
