/** Nodes that serve clients and nodes that convert: what they offer together, and where a conversion runs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { pluginsOf } from '../harness/program.ts'
import { until } from '../harness/until.ts'

t.test('one node serves clients, two others convert different things', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
  const worker = (plugin: string) => cluster.node({ plugins: pluginsOf(plugin) }, { ROLE: 'worker' })
  // One after the other: nodes migrate the schema one after the other, too.
  const stubs = await worker('stub')
  const pictures = await worker('image')
  const dataDir = await cluster.dataDir()
  const api = await cluster.node({ plugins: pluginsOf('stub', 'image', 'audio') }, { ROLE: 'api', DATA_DIR: dataDir })

  const targets = async (extension: string): Promise<string[]> => {
    const { formats } = (await api.call('GET', '/api/formats')).json
    return formats.find((format: any) => format.extension === extension)?.targets ?? []
  }
  const described = async () => {
    const { components } = (await api.call('GET', '/api/openapi.json')).json
    return Object.keys(components.schemas)
      .filter((name) => /^(Image|Stub|Audio)Options$/.test(name))
      .sort()
  }
  const nodeOf = async (id: string) => (await cluster.rows(`select node from conversions where id = '${id}'`))[0]!.node
  const create = { width: 40, height: 30, channels: 3, background: '#c04010' } as const
  const png = await sharp({ create }).png().toBuffer()
  const picture = () => api.upload(png, 'a.png').then(({ fileId }) => fileId)
  const { fileId: stub } = await api.upload('STUB\ntext', 'a.stub')

  await t.test('it offers what the others can convert together, and looks for no engine', async (t) => {
    t.ok((await targets('stub')).includes('bust'))
    t.ok((await targets('png')).includes('webp'))
    t.strictSame(await described(), ['ImageOptions', 'StubOptions'])
    t.strictSame(await targets('wav'), [], 'no worker has the plugin for sound')
    const refused = await api.call('POST', '/api/conversions', { fileId: stub, fromFormat: 'wav', toFormat: 'mp3' })
    t.match(refused, { status: 400, json: { error: { code: 'UNSUPPORTED_FORMAT' } } })
    t.equal(existsSync(join(dataDir, 'probes.json')), false)
    const { parts } = (await api.call('GET', '/readyz')).json
    t.match(parts.engines, { ok: true, detail: /^none here; \d+ conversions by others$/ })
    t.match(parts.nodes.detail, /^3 living \(2 worker, 1 api\)/)
  })

  await t.test('each conversion runs on the node that can convert it', async (t) => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => api.start(n % 2 ? stub : await picture(), n % 2 ? 'bust' : 'webp')),
    )
    for (const [n, id] of ids.entries()) {
      t.match(await api.finish(id), { status: 'completed' })
      const [right, wrong] = n % 2 ? [stubs, pictures] : [pictures, stubs]
      t.match(right.log(), await nodeOf(id))
      t.notMatch(wrong.log(), await nodeOf(id))
    }
    const { outputUrl } = (await api.call('GET', `/api/conversions/${ids[0]}`)).json.conversion
    const made = await fetch(outputUrl)
    t.match(await sharp(Buffer.from(await made.arrayBuffer())).metadata(), { format: 'webp' })
  })

  await t.test('while a node is away, what only it can convert waits, and nothing else does', async (t) => {
    await pictures.end('SIGTERM')
    const waiting = await Promise.all([picture(), picture(), picture()]).then((files) =>
      Promise.all(files.map((file) => api.start(file, 'webp'))),
    )
    // They stand in front of it, and are of the same owner.
    t.match(await api.finish(await api.start(stub, 'bust')), { status: 'completed' })
    for (const id of waiting)
      t.match((await api.call('GET', `/api/conversions/${id}`)).json, { conversion: { status: 'queued' } })
    const again = await worker('image')
    for (const id of waiting) t.match(await api.finish(id), { status: 'completed' })
    await again.end('SIGTERM')
  })

  await t.test('a node that does not come back: its conversions fail, and are not offered any more', async (t) => {
    const id = await api.start(await picture(), 'webp')
    await cluster.rows(
      "update nodes set seen_at = seen_at - 3600000 where role = 'worker' and seen_at + 12000 < (select max(seen_at) from (select seen_at from nodes) as all_nodes)",
    )
    await until(async () => !(await targets('png')).includes('webp'))
    t.match((await api.call('GET', `/api/conversions/${id}`)).json, { conversion: { status: 'queued' } })
    // The other one may have started just now, and the missing one come next. It fails when the other has worked for as
    // long.
    await cluster.rows("update nodes set started_at = started_at - 3600000 where role = 'worker'")
    t.match(await api.finish(id), {
      status: 'failed',
      error: { code: 'CONVERSION_ERROR', message: /webp is not supported any more/ },
    })
    t.ok((await targets('stub')).includes('bust'))
    t.strictSame(await described(), ['StubOptions'], 'the OpenAPI document follows')
    t.match(await api.finish(await api.start(stub, 'bust')), { status: 'completed' })
  })

  await t.test('without any node that converts, it stays ready for a while, and everything waits', async (t) => {
    await stubs.end('SIGKILL')
    const id = await api.start(stub, 'bust')
    t.equal((await fetch(`${api.base}/readyz`)).status, 200)
    await worker('stub')
    t.match(await api.finish(id), { status: 'completed' })
  })
})
