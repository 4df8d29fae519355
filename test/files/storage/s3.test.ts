/**
 * The suite of all drivers, for a bucket, and what only a bucket has: broken answers, incomplete uploads, a cache,
 * links.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import t from 'tap'
import { freeBytes } from '../../../kernel/disk-space.ts'
import type { Timeouts } from '../../../kernel/files/storage/s3/client.ts'
import { type Fault, startFaultyProxy } from '../../harness/servers/faulty-proxy.ts'
import { startObjectStore } from '../../harness/servers/object-store.ts'
import { until } from '../../harness/until.ts'
import { s3Driver } from './drivers.ts'
import { large, MIB, never, newKey, rangeOf, recordOf, small, store, suite } from './suite.ts'

const server = await startObjectStore()
const proxy = await startFaultyProxy(server.endpoint)
const driver = await s3Driver(server, proxy)
t.teardown(async () => {
  for (const part of [driver, proxy, server]) await part[Symbol.asyncDispose]()
})
t.beforeEach(() => {
  proxy.fault = () => undefined
  proxy.seen.length = 0
})
const nothing = { stored: [], staged: [], uploads: [] }
/** All but the caches: those of earlier nodes keep their copies. */
async function left() {
  const { cached: _, ...rest } = await driver.list()
  return rest
}
const away = { code: 'NOT_READY' }

/** Longer than the test may take, so what ends has not waited for the server. */
const timeouts: Timeouts = { attempts: 2, connect: 3_600_000, idle: 3_600_000, request: 3_600_000 }

/** Breaks the first `times` requests that match. */
function breaking(pattern: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY) {
  let left = times
  proxy.fault = ({ method, url }) => (pattern.test(`${method} ${url}`) && left-- > 0 ? fault : undefined)
}

t.test('what every driver does', (t) => suite(t, driver))

t.test('an answer that is cut is resumed where it ended', async (t) => {
  const node = await driver.open()
  const other = await driver.open()
  const key = await store(node, large)
  for (const fault of [{ cut: 3 * MIB }, { stall: MIB }]) {
    breaking(/^GET .*bin/, fault, 2)
    t.ok((await rangeOf(other, key, 5, large.length - 1)).equals(large.subarray(5)))
    t.equal(proxy.seen.filter((line) => /^GET/.test(line)).length, 3)
    proxy.seen.length = 0
  }
  breaking(/^GET .*bin/, { cut: 6 * MIB }, 2)
  await using out = await other.checkOut(key, recordOf(large))
  t.ok((await readFile(out.path)).equals(large))
  await node.remove(key)
})

t.test('an answer that is always cut or refused ends with a clear error', async (t) => {
  const node = await driver.open()
  const other = await driver.open()
  const key = await store(node, large)
  const cachedBefore = (await driver.list()).cached
  for (const fault of [{ cut: 0 }, { stall: 0 }, { status: 503 }, 'lose'] as const) {
    breaking(/^GET .*bin/, fault)
    await t.rejects(rangeOf(other, key, 0, 100), away)
    await t.rejects(other.checkOut(key, recordOf(large)), away)
    t.strictSame((await driver.list()).cached, cachedBefore, 'only the copy of the first node')
    t.ok(proxy.seen.length < 20, `${proxy.seen.length} requests`)
    proxy.seen.length = 0
  }
  await node.remove(key)
})

t.test('a refused upload leaves nothing', { timeout: 900_000 }, async (t) => {
  const node = await driver.open()
  const broken: [RegExp, Fault][] = [
    [/^PUT .*bin\?/, { status: 503 }],
    [/^PUT .*partNumber=2/, { status: 503 }],
    [/^PUT .*partNumber=3/, 'lose'],
    [/^POST .*uploads/, { status: 500 }],
    [/^POST .*uploadId/, { status: 503 }],
  ]
  for (const [pattern, fault] of broken) {
    breaking(pattern, fault)
    for (const bytes of [small, large].slice(/partNumber|uploads|uploadId/.test(pattern.source) ? 1 : 0)) {
      const staged = await node.stage(Readable.from([bytes]), never, async () => {})
      await t.rejects(node.keep(staged, newKey()), away, pattern.source)
      t.ok((await readFile(staged.path)).equals(bytes), 'it is still staged')
      await staged.discard()
      t.strictSame(await left(), nothing)
    }
  }
  t.notMatch(driver.log.join(), /s3cret|Signature|Authorization/, 'the log has no credentials')
  t.match(driver.log.join(), /UploadPart.*503/)
})

t.test('a lost answer does not make an upload fail', async (t) => {
  const node = await driver.open()
  for (const pattern of [/^PUT .*bin/, /^PUT .*partNumber=1/, /^POST .*uploads/, /^POST .*uploadId/]) {
    breaking(pattern, 'lose', 1)
    for (const bytes of [small, large]) {
      const key = await store(node, bytes)
      const other = await driver.open()
      t.ok((await rangeOf(other, key, 0, bytes.length - 1)).equals(bytes))
      await node.remove(key)
    }
  }
  t.equal((await left()).uploads.length, 1, 'nobody knows the upload whose creation was not answered')
  proxy.fault = () => undefined
  t.equal(await (await driver.open({ abandoned: -60_000 })).sweep(Date.now(), 100), 1, 'so it is swept')
  t.strictSame(await left(), nothing)
})

t.test('an abort ends an upload at once, and leaves nothing', async (t) => {
  const node = await driver.open({ timeouts })
  const dir = t.testdir()
  for (const bytes of [small, large]) {
    const path = join(dir, 'result')
    await writeFile(path, bytes)
    breaking(/^PUT/, { stall: 0 })
    const stop = new AbortController()
    const published = node.publish(path, newKey(), stop.signal)
    await until(() => proxy.seen.some((line) => /^PUT/.test(line)))
    stop.abort(new Error('cancelled'))
    await t.rejects(published, { message: 'cancelled' })
    proxy.fault = () => undefined
    proxy.seen.length = 0
    t.strictSame(await left(), nothing)
  }
})

t.test('an abort ends a check-out, and another caller gets the file', async (t) => {
  const node = await driver.open()
  const other = await driver.open()
  const key = await store(node, large)
  const recorded = recordOf(large)
  proxy.seen.length = 0
  breaking(/^GET .*bin/, { stall: MIB }, 1)
  const stop = new AbortController()
  const both = [other.checkOut(key, recorded, stop.signal), other.checkOut(key, recorded)] as const
  await until(() => proxy.seen.some((line) => /^GET/.test(line)))
  stop.abort(new Error('cancelled'))
  await t.rejects(both[0], { message: 'cancelled' })
  await using out = await both[1]
  t.ok((await readFile(out.path)).equals(large), 'the other caller gets it')
  t.equal(proxy.seen.filter((line) => /^GET/.test(line)).length, 2, 'in one fetch, resumed once')
  await node.remove(key)
})

t.test('the cache is bounded, and keeps files in use', async (t) => {
  const source = await driver.open()
  const files = await Promise.all([1, 2, 3].map(() => store(source, large)))
  for (const key of files) await source.remove(`${key}.none`)
  const before = (await driver.list()).cached.length
  const node = await driver.open({ cacheSize: 2 * large.length })
  const cached = async () => (await driver.list()).cached.length - before
  const recorded = recordOf(large)
  const first = await node.checkOut(files[0]!, recorded)
  for (const key of files.slice(1)) await (await node.checkOut(key, recorded))[Symbol.asyncDispose]()
  t.equal(await cached(), 2, 'one of three is gone')
  t.ok((await readFile(first.path)).equals(large), 'not the one in use')
  const all = await Promise.all(files.map((key) => node.checkOut(key, recorded)))
  t.equal(await cached(), 3, 'files in use stay above the limit')
  for (const each of [first, ...all]) await each[Symbol.asyncDispose]()
  t.equal(await cached(), 2)
  proxy.seen.length = 0
  const present = await node.checkOut(files[2]!, recorded)
  t.strictSame(proxy.seen, [], 'what is there is not fetched')
  await node.remove(files[2]!)
  t.ok((await readFile(present.path)).equals(large), 'a removed file stays as long as it is used')
  await present[Symbol.asyncDispose]()
  t.equal(await cached(), 1)
  const uncached = await driver.open({ cacheSize: 0 })
  const out = await uncached.checkOut(files[0]!, recorded)
  t.equal(await cached(), 2)
  await out[Symbol.asyncDispose]()
  t.equal(await cached(), 1)
  for (const key of files) await source.remove(key)
})

t.test('a fetch without room on the disk is refused before it begins', async (t) => {
  const node = await driver.open()
  const key = await store(node, small)
  const free = await freeBytes(tmpdir())
  const full = await driver.open({ freeDisk: free - 100_000_000 })
  proxy.seen.length = 0
  await t.rejects(full.checkOut(key, { size: free }), { code: 'STORAGE_FULL' })
  t.strictSame(proxy.seen, [])
  await using out = await full.checkOut(key, recordOf(small))
  t.ok(out.path)
  await node.remove(key)
})

t.test('incomplete uploads of stopped nodes are swept when they are old', async (t) => {
  const { client, bucket } = driver
  for (const name of ['one', 'two', 'three'])
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: `some/where/uploads/${name}` }))
  await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: 'elsewhere/four' }))
  t.equal(await (await driver.open()).sweep(Date.now(), 100), 0, 'they are young')
  const node = await driver.open({ abandoned: -60_000 })
  t.equal(await node.sweep(Date.now(), 2), 2)
  t.equal(await node.sweep(Date.now(), 2), 1)
  t.strictSame((await driver.list()).uploads, ['elsewhere/four'], 'others are not ours')
  proxy.seen.length = 0
  t.equal(await node.sweep(Date.now(), 2), 0)
  t.strictSame(proxy.seen, [], 'it does not look again at once')
})

t.test('readiness asks for the bucket', async (t) => {
  const node = await driver.open()
  t.ok(await node.hasRoom())
  for (const fault of [{ status: 503 }, { stall: 0 }] as const) {
    const broken = await driver.open({ timeouts })
    breaking(/^HEAD/, fault)
    await t.rejects(broken.hasRoom(), away, 'it does not wait as long as others')
    t.ok(broken.isAway())
    proxy.fault = () => undefined
    t.ok(await broken.hasRoom(), 'and again')
    t.notOk(broken.isAway())
  }
})

t.test('a start says what is wrong', async (t) => {
  const faults: [status: number, message: RegExp][] = [
    [301, /another region/],
    [400, /region or the signature/],
    [401, /refuses the credentials; check AWS_ACCESS_KEY_ID/],
    [403, /refuses the credentials.*bucket/],
    [404, /no such bucket/],
  ]
  for (const [status, message] of faults) {
    breaking(/^HEAD/, { status })
    await t.rejects(driver.open(), { name: 'StartError', message }, `${status}`)
  }
  breaking(/^HEAD/, { status: 503 })
  const node = await driver.open()
  await t.rejects(node.hasRoom(), away, 'a server that is away can come back')
  proxy.fault = () => undefined
  t.ok(await node.hasRoom())
})

t.test('a link needs no credential, and is never shown as a page', async (t) => {
  const node = await driver.open({ links: true })
  const key = await store(node, small)
  const disposition = `attachment; filename="a b+c.txt"; filename*=UTF-8''%C3%A4%20b%2Bc.txt`
  const link = await node.linkTo!(key, disposition)
  t.match(link, /X-Amz-Expires=60&/)
  const answer = await fetch(link)
  t.equal(answer.status, 200)
  t.equal(await answer.text(), String(small))
  t.equal(answer.headers.get('content-type'), 'application/octet-stream')
  t.equal(answer.headers.get('content-disposition'), disposition)
  t.equal((await fetch(link.replace(/X-Amz-Signature=./, 'X-Amz-Signature=z'))).status, 403)
  t.equal((await driver.open()).linkTo, undefined, 'only if the operator wants it')
  await node.remove(key)
})
