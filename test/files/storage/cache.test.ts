import { writeFile } from 'node:fs/promises'
import t from 'tap'
import { openCache } from '../../../kernel/files/storage/cache.ts'

t.test('fetches at the same time do not share the same free disk', async (t) => {
  const mib = 1024 ** 2
  let disk = 100 * mib
  const folder = t.testdir({})
  const cache = await openCache({ folder, max: 1000 * mib, free: async () => disk, freeDisk: 10 * mib })
  const arrived = Promise.withResolvers<void>()
  const allBegan = Promise.withResolvers<string>()
  let began = 0
  const load = async (path: string) => {
    if (++began === 3) allBegan.resolve('all began')
    await arrived.promise
    disk -= 40 * mib
    await writeFile(path, 'x')
    return { size: 40 * mib, sha256: null }
  }
  const fetches = ['a', 'b', 'c'].map((key) => cache.fetch(key, 40 * mib, load, undefined))
  const refusals = fetches.map((fetched) => fetched.then(String, ({ code }) => code))
  const first = await Promise.race([...refusals, allBegan.promise])
  arrived.resolve()
  const outcomes = (await Promise.allSettled(fetches)).map(({ status }) => status)
  t.equal(first, 'STORAGE_FULL', 'one is refused before any has arrived')
  t.strictSame(outcomes.sort(), ['fulfilled', 'fulfilled', 'rejected'])
  t.equal(disk, 20 * mib, 'what must stay free is free')

  const failed = cache.fetch('d', 10 * mib, () => Promise.reject(new Error('away')), undefined)
  await t.rejects(failed, { message: 'away' })
  t.ok(await cache.makeRoom(10 * mib), 'a failed fetch gives its room back')
})
