/** What keeps the bytes of unfinished uploads: files of one node, and objects that several nodes share. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ServiceError } from '../../../kernel/errors.ts'
import { openPartFiles } from '../../../kernel/files/storage/part-files.ts'
import { createPartObjects } from '../../../kernel/files/storage/part-objects.ts'
import type { Append, Parts } from '../../../kernel/files/storage/parts.ts'
import { folderOf } from '../../harness/folder.ts'
import { type Driver, localDriver, sharedDriver } from './drivers.ts'
import { large, MIB, never } from './suite.ts'

t.setTimeout(120_000)

const upload = '019acc10-5a6b-7000-8000-0000000000aa'
const refusal = new ServiceError('OFFSET_MISMATCH', 'taken over')
const broken = new Error('the client went away')

async function* bodyOf(...chunks: (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield chunk
  }
}

/** @param remaining Counts what is stored of them. */
async function suite(t: Test, parts: Parts, remaining: () => Promise<number>): Promise<void> {
  /** Bytes of the upload that count, and the number of its requests. */
  let received = 0
  let fence = 0

  /** Sends a body as one request. @param more Changes the request. */
  function append(body: AsyncIterable<Buffer>, more: Partial<Append> = {}): Promise<void> {
    const whole = more.whole ?? false
    return parts.append(body, {
      upload,
      start: received,
      fence: ++fence,
      whole,
      signal: never,
      async count(end, isComplete) {
        if (isComplete || !whole) received = end
      },
      ...more,
    })
  }

  async function joined(): Promise<Buffer> {
    const staged = await parts.join(upload, received, never)
    const bytes = await readFile(staged.path)
    await staged.discard()
    return bytes
  }

  t.afterEach(async () => {
    received = 0
    await parts.remove(upload)
    await parts.remove(upload)
    if (await remaining()) throw new Error('something is left')
  })

  t.test('bodies that follow each other become one file', async (t) => {
    await append(bodyOf(large.subarray(0, 5), large.subarray(5, 9 * MIB)))
    t.equal(received, 9 * MIB)
    await append(bodyOf())
    await append(bodyOf(large.subarray(9 * MIB)))
    t.equal(received, large.length)
    t.ok((await joined()).equals(large))
    t.ok((await joined()).equals(large), 'and again')
  })

  t.test('what arrived of a body that breaks counts, and what counts is not replaced', async (t) => {
    await t.rejects(append(bodyOf(large.subarray(0, 9 * MIB), broken)), broken)
    t.equal(received, 9 * MIB)
    await append(bodyOf(large.subarray(received)))
    t.ok((await joined()).equals(large))
  })

  t.test('a body that counts only as a whole leaves nothing if it breaks', async (t) => {
    await append(bodyOf(large.subarray(0, 1000)))
    const before = await remaining()
    await t.rejects(append(bodyOf(large.subarray(1000, 10 * MIB), broken), { whole: true }), broken)
    t.equal(received, 1000)
    t.equal(await remaining(), before)
    await append(bodyOf(large.subarray(1000)), { whole: true })
    t.ok((await joined()).equals(large))
  })

  t.test('bytes that must not count are not part of the file', async (t) => {
    const count = async () => Promise.reject(refusal)
    await t.rejects(append(bodyOf(Buffer.alloc(10 * MIB)), { count }), refusal)
    t.equal(received, 0)
    await append(bodyOf(large))
    t.ok((await joined()).equals(large))
  })

  t.test('bytes whose count is not known can be sent again', async (t) => {
    const lost = new Error('the database went away')
    const count = async () => Promise.reject(lost)
    await t.rejects(append(bodyOf(Buffer.alloc(100)), { count }), lost)
    await append(bodyOf(large))
    t.ok((await joined()).equals(large))
  })

  t.test('many small bodies', async (t) => {
    for (let n = 0; n < 60; n++) await append(bodyOf(large.subarray(received, received + 1000)))
    t.ok((await remaining()) <= 16)
    t.ok((await joined()).equals(large.subarray(0, 60_000)))
  })

  t.test('bytes that are missing are noticed', async (t) => {
    await append(bodyOf(large.subarray(0, 1000)))
    received = 1001
    await t.rejects(joined(), /resumable upload/)
  })
}

const stored = async (driver: Driver) => (await driver.list()).stored.length

t.test('files', async (t) => {
  const driver = await localDriver()
  t.teardown(() => driver[Symbol.asyncDispose]())
  const folder = join(await folderOf(t), 'parts')
  const parts = await openPartFiles(folder, await driver.open())
  await suite(t, parts, async () => (await readdir(folder)).length)
})

t.test('objects', async (t) => {
  const driver = await sharedDriver()
  t.teardown(() => driver[Symbol.asyncDispose]())
  const storage = await driver.open()
  const parts = createPartObjects(storage)
  await suite(t, parts, () => stored(driver))

  t.test('a request that was stopped stores its bytes too late', async (t) => {
    const first = { upload, whole: false, signal: never, count: async () => {} }
    await parts.append(bodyOf(Buffer.from('newer')), { ...first, start: 0, fence: 2 })
    await parts.append(bodyOf(Buffer.from('bytes')), { ...first, start: 5, fence: 3 })
    await parts.append(bodyOf(Buffer.from('older bytes')), { ...first, start: 0, fence: 1 })
    const staged = await parts.join(upload, 10, never)
    t.equal(await readFile(staged.path, 'utf8'), 'newerbytes')
    await staged.discard()
    await parts.remove(upload)
  })
})
