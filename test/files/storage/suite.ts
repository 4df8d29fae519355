import { createHash, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Storage } from '../../../kernel/files/storage/storage.ts'
import { folderOf } from '../../harness/folder.ts'
import { isStored } from '../../harness/stored.ts'
import type { Driver } from './drivers.ts'

export const MIB = 1024 ** 2
/** Two whole parts of a multipart upload, and one more byte. */
export const large = randomBytes(16 * MIB + 1)
/** One part, and several pieces of a stream. */
export const medium = large.subarray(0, MIB + 1)
export const small = Buffer.from('Once upon a time.')
export const recordOf = (bytes: Buffer) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})
export const never = new AbortController().signal
const all = async () => {}
let last = 0
export const newKey = () => `uploads/2026/11/22/${String(++last)}/a.bin`

/** Stages and keeps a file. */
export async function store(storage: Storage, bytes: Buffer, key = newKey()): Promise<string> {
  await storage.keep(await storage.stage(Readable.from([bytes]), never, all), key)
  return key
}

export const rangeOf = (storage: Storage, key: string, start: number, end: number) =>
  buffer(storage.open(key, { start, end }))

/** What every driver does. */
export async function suite(t: Test, driver: Driver): Promise<void> {
  const storage = await driver.open()
  const results = await folderOf(t)

  t.test('a file is staged, kept, found, read and removed', async (t) => {
    for (const bytes of [small, large]) {
      const sizes: number[] = []
      const staged = await storage.stage(
        Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]),
        never,
        async (size) => {
          sizes.push(size)
        },
      )
      t.equal(staged.size, bytes.length)
      t.strictSame(sizes, [5, bytes.length - 5])
      t.ok((await readFile(staged.path)).equals(bytes))
      if (staged.sha256) t.equal(staged.sha256, recordOf(bytes).sha256)
      const key = newKey()
      t.notOk(await isStored(storage, key))
      await storage.keep(staged, key)
      t.ok(await isStored(storage, key))
      t.strictSame((await driver.list()).staged, [], 'it is not staged any more')
      t.ok((await rangeOf(storage, key, 0, bytes.length - 1)).equals(bytes))
      await storage.remove(key)
      t.notOk(await isStored(storage, key))
      await storage.remove(key)
    }
    t.strictSame(await driver.list(), { stored: [], staged: [], cached: [], uploads: [] }, 'nothing is left')
  })

  t.test('an upload that is refused or aborted leaves nothing', async (t) => {
    const refusal = new Error('too much')
    let bytes = 0
    const arrived = async (size: number) => {
      bytes += size
      if (bytes > 3 * MIB) throw refusal
    }
    const chunks = Array.from({ length: 8 }, () => Buffer.alloc(MIB))
    await t.rejects(storage.stage(Readable.from(chunks), never, arrived), refusal)
    const stop = new AbortController()
    const endless = new PassThrough()
    endless.write(Buffer.alloc(MIB))
    await t.rejects(
      storage.stage(endless, stop.signal, async () => stop.abort()),
      { name: 'AbortError' },
    )
    const staged = await storage.stage(Readable.from([small]), never, all)
    await staged.discard()
    await staged.discard()
    t.strictSame(await driver.list(), { stored: [], staged: [], cached: [], uploads: [] })
  })

  t.test('a file of this machine is adopted', async (t) => {
    const path = join(results, 'part')
    await writeFile(path, medium)
    const staged = await storage.adopt(path)
    t.equal(staged.size, medium.length)
    const key = newKey()
    await storage.keep(staged, key)
    t.ok((await readFile(path)).equals(medium), 'it stays')
    t.ok((await rangeOf(storage, key, 0, medium.length - 1)).equals(medium))
    await storage.remove(key)
  })

  t.test('files below a prefix are listed', async (t) => {
    const keys = ['parts/a/1', 'parts/a/2', 'parts/b/1']
    for (const key of keys) await store(storage, Buffer.from(key), key)
    const listed = async (prefix: string) =>
      (await storage.list(prefix)).sort((one, other) => (one.key < other.key ? -1 : 1))
    t.strictSame(
      await listed('parts/a/'),
      ['parts/a/1', 'parts/a/2'].map((key) => ({ key, size: key.length })),
    )
    t.strictSame(await listed('parts/none/'), [])
    for (const key of keys) await storage.remove(key)
    t.strictSame(await listed('parts/a/'), [])
  })

  t.test('a result is published, and replaced', async (t) => {
    const key = newKey()
    for (const bytes of [small, large, Buffer.from('x')]) {
      const path = join(results, 'result')
      await writeFile(path, bytes)
      await storage.publish(path, key)
      await t.rejects(readFile(path), { code: 'ENOENT' }, 'it has been moved')
      t.ok((await rangeOf(storage, key, 0, bytes.length - 1)).equals(bytes))
      t.strictSame((await driver.list()).stored, [key])
    }
    await storage.remove(key)
    const path = join(results, 'late')
    await writeFile(path, small)
    await t.rejects(storage.publish(path, key, AbortSignal.abort(new Error('late'))), { message: 'late' })
    t.strictSame(await driver.list(), { stored: [], staged: [], cached: [], uploads: [] })
  })

  t.test('ranges have exactly the bytes that were asked for', async (t) => {
    const key = await store(storage, large)
    const other = await driver.open()
    for (const node of [storage, other]) {
      for (const [start, end] of [
        [0, 0],
        [large.length - 1, large.length - 1],
        [8 * MIB - 10, 8 * MIB + 9],
        [5, 3 * MIB],
      ] as const)
        t.ok((await rangeOf(node, key, start, end)).equals(large.subarray(start, end + 1)), `${start} to ${end}`)
      await t.rejects(rangeOf(node, key, large.length - 2, large.length), /shorter than recorded/)
      await t.rejects(rangeOf(node, key, large.length + 5, large.length + 6), /shorter than recorded/)
      await t.rejects(rangeOf(node, newKey(), 0, 1), { code: 'ENOENT' })
      const left = node.open(key, { start: 0, end: large.length - 1 })
      for await (const _ of left) break
      t.ok(left.destroyed, 'a reader may leave')
    }
    await storage.remove(key)
  })

  t.test('a file is checked out by several at once', async (t) => {
    const key = await store(storage, medium)
    for (const node of [storage, await driver.open()]) {
      const out = await Promise.all([1, 2, 3].map(() => node.checkOut(key, recordOf(medium))))
      for (const { path } of out) t.ok((await readFile(path)).equals(medium))
      await out[0]![Symbol.asyncDispose]()
      await out[0]![Symbol.asyncDispose]()
      await link(out[1]!.path, join(results, 'linked'))
      t.ok((await readFile(join(results, 'linked'))).equals(medium), 'a sandbox can link to it')
      await rm(join(results, 'linked'))
      for (const each of out) await each[Symbol.asyncDispose]()
    }
    await storage.remove(key)
  })

  t.test('a check-out compares size and hash', async (t) => {
    const key = newKey()
    await driver.place(key, small)
    for (const node of [storage, await driver.open()]) {
      const right = recordOf(small)
      const before = (await driver.list()).cached
      for (const size of [small.length - 1, small.length + 1])
        await t.rejects(node.checkOut(key, { ...right, size }), /another size|shorter/)
      await t.rejects(node.checkOut(key, { ...right, sha256: '0'.repeat(64) }), /another SHA-256/)
      t.strictSame((await driver.list()).cached, before, 'nothing is left')
      await using out = await node.checkOut(key, right)
      t.ok((await readFile(out.path)).equals(small), 'the right one passes')
      await t.rejects(node.checkOut(key, { ...right, sha256: '0'.repeat(64) }), /another SHA-256/, 'in the cache, too')
      await using unknown = await node.checkOut(key, { size: small.length, sha256: null })
      t.ok(unknown.path)
      await node.remove(key)
      await driver.place(key, small)
    }
    await t.rejects(storage.checkOut(newKey(), recordOf(small)), { code: 'ENOENT' })
    await storage.remove(key)
  })

  t.test('a full disk', async (t) => {
    const full = await driver.open({ freeDisk: Number.MAX_SAFE_INTEGER })
    t.ok(await storage.hasRoom())
    t.notOk(await full.hasRoom())
    await t.rejects(full.stage(Readable.from([small]), never, all), { code: 'STORAGE_FULL' })
    const { stored, staged } = await driver.list()
    t.strictSame([stored, staged], [[], []])
  })

  t.test('a sweep without anything to sweep', async (t) => {
    t.equal(await storage.sweep(Date.now(), 100), 0)
  })
}
