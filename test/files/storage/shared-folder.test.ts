/** What only a shared folder has: several nodes, and what stopped ones left. */
import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { createSharedStorage } from '../../../kernel/files/storage/shared-folder.ts'
import { isStored } from '../../harness/stored.ts'
import { never, newKey, rangeOf, small, store } from './suite.ts'

t.test('a start leaves the unfinished uploads of other nodes alone', async (t) => {
  const folder = t.testdir({})
  const one = await createSharedStorage({ folder, freeDisk: 0 })
  const source = new PassThrough()
  const arriving = one.stage(source, never, async () => {})
  source.write(small.subarray(0, 5))
  const two = await createSharedStorage({ folder, freeDisk: 0 })
  t.equal(await two.sweep(Date.now(), 100), 0)
  source.end(small.subarray(5))
  const key = newKey()
  await one.keep(await arriving, key)
  t.ok((await rangeOf(two, key, 0, small.length - 1)).equals(small), 'the other node sees the file')
  await one.close()
  await two.close()
  t.strictSame(await readdir(join(folder, 'incoming')), [], 'a stop leaves nothing')
})

t.test('a folder that cannot be reached is away until it answers', async (t) => {
  const folder = t.testdir({})
  const storage = await createSharedStorage({ folder, freeDisk: 0 })
  t.notOk(storage.isAway())
  await rename(join(folder, 'incoming'), join(folder, 'unmounted'))
  await t.rejects(storage.hasRoom(), { code: 'NOT_READY' })
  t.ok(storage.isAway())
  await rename(join(folder, 'unmounted'), join(folder, 'incoming'))
  await storage.hasRoom()
  t.notOk(storage.isAway())
})

t.test('what stopped nodes left is swept when it is old', async (t) => {
  const folder = t.testdir({})
  const storage = await createSharedStorage({ folder, freeDisk: 0 })
  const left = join(folder, 'incoming', 'stopped')
  await mkdir(left)
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const name of ['a', 'b', 'c']) {
    await writeFile(join(left, name), small)
    if (name !== 'c') await utimes(join(left, name), old, old)
  }
  const stored = await store(storage, small)
  t.equal(await storage.sweep(Date.now(), 1), 1)
  t.equal(await storage.sweep(Date.now(), 1), 1)
  t.strictSame(await readdir(left), ['c'], 'a young file may still grow')
  t.equal(await storage.sweep(Date.now(), 1), 0, 'it does not look again at once')
  await utimes(join(left, 'c'), old, old)
  t.equal(await storage.sweep(Date.now() + 3_600_001, 5), 1)
  t.ok(await isStored(storage, stored))
})
