/** A bucket whose server breaks: answers that stall or are lost, uploads that are refused or aborted. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import type { Fault } from '../../harness/servers/faulty-proxy.ts'
import { until } from '../../harness/until.ts'
import { bucketOf, PATIENT } from './bucket.ts'
import { large, MIB, never, newKey, rangeOf, recordOf, small, store } from './suite.ts'

t.setTimeout(900_000)

const { driver, proxy, breaking } = await bucketOf(t)
const nothing = { stored: [], staged: [], uploads: [] }
/** All but the caches: those of earlier nodes keep their copies. */
async function left() {
  const { cached: _, ...rest } = await driver.list()
  return rest
}
const away = { code: 'NOT_READY' }

t.test('an answer that stalls is resumed where it ended', async (t) => {
  const node = await driver.open()
  const other = await driver.open()
  const key = await store(node, large)
  breaking(/^GET .*bin/, { stall: MIB }, 2)
  t.ok((await rangeOf(other, key, 5, large.length - 1)).equals(large.subarray(5)))
  t.equal(proxy.seen.filter((line) => /^GET/.test(line)).length, 3)
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

t.test('a refused upload leaves nothing', async (t) => {
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
  const node = await driver.open({ timeouts: PATIENT })
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
