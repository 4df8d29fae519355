/** The library against the real service: uploads in parts, and events. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { AthanorError, createClient, type ServiceEvent } from '../../client/client.ts'
import { proxyOf } from '../harness/servers/proxy.ts'
import { STUB, serviceOf, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await serviceOf(t)
const headers = () => ({ 'x-guest-fingerprint': 'client' })
const bytes = Buffer.concat([Buffer.from('STUB\n'), Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251))])
const stored = (fileId: string) => readFile(join(service.dataDir, 'files', fileId))

/** The bytes of uploads in parts that a service has stored, once they are more than these. */
async function moreThan(bytes: number, { dataDir } = service): Promise<number> {
  const folder = join(dataDir, 'parts')
  let sum = 0
  await until(async () => {
    const sizes = (await readdir(folder)).map((name) => stat(join(folder, name)).then(({ size }) => size))
    sum = (await Promise.all(sizes)).reduce((all, size) => all + size, 0)
    return sum > bytes
  })
  return sum
}

t.test('a file arrives whole through a proxy that refuses large bodies and cuts connections', async (t) => {
  let arrived = 0
  const onCut = async () => {
    arrived = await moreThan(arrived)
    proxy.drop()
  }
  const proxy = await proxyOf(t, service.base, { body: 100_000, cutAfter: 60_000, onCut })
  const small = createClient({ url: proxy.base, headers }, { above: 10e6, size: 90_000 })
  const whole = await small.upload(new Blob([bytes]), 'a.stub').catch((error) => error)
  t.type(whole, AthanorError, 'in one piece, it does not')
  const client = createClient({ url: proxy.base, headers }, { above: 1000, size: 90_000 })
  const { file } = await client.upload(new Blob([bytes]), 'große.stub')
  t.match(file, { originalName: 'große.stub', size: bytes.length, format: 'stub' })
  t.ok((await stored(file.fileId)).equals(bytes), 'not a byte is different')
  t.ok(proxy.cut >= 3, `${proxy.cut} connections were cut`)
})

t.test('an upload goes on when the service is away for a while', async (t) => {
  const onCut = async () => {
    await moreThan(0)
    proxy.target = undefined
  }
  const proxy = await proxyOf(t, service.base, { cutAfter: 80_000, onCut })
  const client = createClient({ url: proxy.base, headers }, { above: 1000, size: 100_000 })
  const uploaded = client.upload(new Blob([bytes.subarray(0, 150_000)]), 'a.stub')
  await until(() => proxy.cut >= 3)
  proxy.target = service.base
  const { file } = await uploaded
  t.ok((await stored(file.fileId)).equals(bytes.subarray(0, 150_000)))
})

t.test('a refusal ends an upload in parts', async (t) => {
  const client = createClient({ url: service.base, headers }, { above: 10, size: 100_000 })
  const refused = await client.upload(new Blob(['nothing that is known']), 'x.xyz').catch((error) => error)
  t.match(refused, { code: 'UNSUPPORTED_FORMAT', status: 400 })
})

t.test('what is left of a cancelled upload is removed', async (t) => {
  await using other = await startService()
  const parts = () => readdir(join(other.dataDir, 'parts'))
  const proxy = await proxyOf(t, other.base, { pace: 100 })
  const slow = createClient({ url: proxy.base, headers }, { above: 10, size: 100_000 })
  const later = new AbortController()
  const cancelled = slow.upload(new Blob([bytes]), 'a.stub', { signal: later.signal }).catch((error) => error)
  // When bytes have arrived, the client knows where it sends them, and so what to remove.
  await moreThan(0, other)
  later.abort(new Error('enough'))
  t.match(await cancelled, { message: 'enough' })
  // The library removes it in the background, so that its bytes do not count until it expires.
  await until(async () => (await parts()).length === 0)
})

t.test('events come over broken connections, each change once more at most', async (t) => {
  const proxy = await proxyOf(t, service.base)
  const client = createClient({ url: proxy.base, headers })
  const end = new AbortController()
  const { file } = await client.upload(new Blob([STUB]), 'a.stub')
  const id = await client.start({ fileId: file.fileId, toFormat: 'bust', options: { sleep: 3000 } })
  const heard: ServiceEvent[] = []
  let cut = 0
  for await (const event of client.events({ signal: end.signal })) {
    heard.push(event)
    if (cut < 2) cut += proxy.drop()
    if (event.event === 'conversion' && event.data.id === id && event.data.status === 'completed') end.abort()
  }
  t.equal(cut, 2)
  const shown = heard.flatMap((each) => (each.event === 'conversion' ? [each.data.progress] : []))
  t.strictSame(
    shown,
    shown.toSorted((a, b) => a - b),
  )
  t.equal(shown.at(-1), 100)
})

t.test('without streams, the client says so', async (t) => {
  const client = createClient({ url: `${service.base}/nowhere`, headers })
  const reading = client.events({ signal: new AbortController().signal }).next()
  await t.rejects(reading, { code: 'NO_EVENTS' })
})
