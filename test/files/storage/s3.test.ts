/** The suite of all drivers, for a bucket, and what only a bucket has: resumed answers, a cache, links. */
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import t from 'tap'
import { freeBytes } from '../../../kernel/disk-space.ts'
import { bucketOf, PATIENT } from './bucket.ts'
import { medium, rangeOf, recordOf, small, store, suite } from './suite.ts'

const { driver, proxy, breaking } = await bucketOf(t)
const away = { code: 'NOT_READY' }

t.test('what every driver does', (t) => suite(t, driver))

t.test('an answer that is cut is resumed where it ended', async (t) => {
  const node = await driver.open()
  const other = await driver.open()
  const key = await store(node, medium)
  breaking(/^GET .*bin/, { cut: 100_000 }, 2)
  t.ok((await rangeOf(other, key, 5, medium.length - 1)).equals(medium.subarray(5)))
  t.equal(proxy.seen.filter((line) => /^GET/.test(line)).length, 3)
  breaking(/^GET .*bin/, { cut: 100_000 }, 2)
  await using out = await other.checkOut(key, recordOf(medium))
  t.ok((await readFile(out.path)).equals(medium))
  await node.remove(key)
})

t.test('the cache is bounded, and keeps files in use', async (t) => {
  const source = await driver.open()
  const files = await Promise.all([1, 2, 3].map(() => store(source, medium)))
  for (const key of files) await source.remove(`${key}.none`)
  const before = (await driver.list()).cached.length
  const node = await driver.open({ cacheSize: 2 * medium.length })
  const cached = async () => (await driver.list()).cached.length - before
  const recorded = recordOf(medium)
  const first = await node.checkOut(files[0]!, recorded)
  for (const key of files.slice(1)) await (await node.checkOut(key, recorded))[Symbol.asyncDispose]()
  t.equal(await cached(), 2, 'one of three is gone')
  t.ok((await readFile(first.path)).equals(medium), 'not the one in use')
  const all = await Promise.all(files.map((key) => node.checkOut(key, recorded)))
  t.equal(await cached(), 3, 'files in use stay above the limit')
  for (const each of [first, ...all]) await each[Symbol.asyncDispose]()
  t.equal(await cached(), 2)
  proxy.seen.length = 0
  const present = await node.checkOut(files[2]!, recorded)
  t.strictSame(proxy.seen, [], 'what is there is not fetched')
  await node.remove(files[2]!)
  t.ok((await readFile(present.path)).equals(medium), 'a removed file stays as long as it is used')
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
    const broken = await driver.open({ timeouts: PATIENT })
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
