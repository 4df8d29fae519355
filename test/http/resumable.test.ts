/** Resumable uploads over real sockets, to the only node. */
import { readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { createLocks } from '../../kernel/files/uploads/resumable/locks.ts'
import { call, form, refusal, STUB, serviceOf, startService, upload } from '../harness/service.ts'
import { type ServiceOfUploads, suite } from './resumable-suite.ts'
import { begin, head, placeOf, send, TUS } from './tus.ts'

async function open(change: Parameters<Parameters<typeof suite>[1]>[0]): Promise<ServiceOfUploads> {
  const service = await startService({ change })
  const parts = join(service.dataDir, 'parts')
  const sizeOf = async (name: string) => (await stat(join(parts, name))).size
  return {
    service,
    files: join(service.dataDir, 'files'),
    async stored() {
      const names = await readdir(parts)
      const sizes = await Promise.all(names.map(sizeOf))
      return names.filter((_, index) => sizes[index])
    },
    // There is no file before the first byte.
    arrived: (path) => sizeOf(path.split('/').at(-1)!).catch(() => 0),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

t.test('what every driver does', (t) => suite(t, open))

const service = await serviceOf(t)
const { guest } = service.kernel.config.plans

t.test('parts are private files, and a given up upload leaves none', async (t) => {
  const parts = join(service.dataDir, 'parts')
  const path = placeOf(await begin(service, 100))
  await send(service, path, 0, 'STUB')
  const [name] = await readdir(parts)
  t.equal((await stat(join(parts, name!))).mode & 0o777, 0o600)
  t.equal((await stat(parts)).mode & 0o777, 0o700)
  t.equal((await call(service, 'DELETE', path, { headers: TUS })).status, 204)
  t.strictSame(await readdir(parts), [])
  t.equal((await head(service, path)).status, 404)
  t.equal((await send(service, path, 4, 'x')).status, 404)
})

t.test('a request waits for an upload only while it is locked', async (t) => {
  const database = await openDatabase({ url: undefined, dataDir: service.dataDir })
  t.teardown(() => database.destroy())
  const locks = createLocks(database)
  const { signal } = new AbortController()
  const first = locks.newLock('upload')
  await first.lock(signal, () => first.unlock() as Promise<void>)
  const second = locks.newLock('upload')
  await second.lock(signal, () => {})
  t.pass('the first ended while it was asked to')
  await second.unlock()
})

t.test('unfinished uploads expire, and count until then', async (t) => {
  const { storedBytes } = guest
  guest.storedBytes = 1000
  const first = placeOf(await begin(service, 600))
  await send(service, first, 0, 'x'.repeat(100))
  t.match(await begin(service, 600), refusal(429, 'QUOTA_EXCEEDED'))
  t.equal((await upload(service, form(`STUB\n${'x'.repeat(500)}`))).status, 429)
  const later = Date.now() + 86_400_001
  t.ok((await service.kernel.resumable.sweep(later, 100)) > 0)
  t.equal((await head(service, first)).status, 404)
  t.strictSame(await readdir(join(service.dataDir, 'parts')), [])
  const again = await begin(service, 600)
  t.equal(again.status, 201)
  await call(service, 'DELETE', placeOf(again), { headers: TUS })
  guest.storedBytes = storedBytes
})

t.test('an upload whose bytes are lost cannot go on', async (t) => {
  const path = placeOf(await begin(service, STUB.length))
  await send(service, path, 0, STUB.slice(0, 5))
  // As after a power cut.
  await truncate(join(service.dataDir, 'parts', path.split('/').at(-1)!), 3)
  t.match(await send(service, path, 5, STUB.slice(5)), refusal(404, 'NOT_FOUND'))
  t.equal((await head(service, path)).status, 404)
})

// Two nodes can begin a few more: they count at the same time.
t.test('uploads that begin at the same time are not more than the limit', async (t) => {
  const begun = await Promise.all(Array.from({ length: 105 }, () => begin(service, 'later')))
  t.equal(begun.filter(({ status }) => status === 201).length, 100)
})
