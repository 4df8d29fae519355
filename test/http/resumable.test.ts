/** Resumable uploads over real sockets, in the data folder. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createLocalStorage } from '../../kernel/files/storage/local.ts'
import { createLocalResumable } from '../../kernel/files/uploads/resumable/local.ts'
import { call, form, refusal, startService, upload } from '../harness/service.ts'
import { type ServiceOfUploads, suite } from './resumable-suite.ts'
import { begin, head, placeOf, send, TUS } from './tus.ts'

async function open(change: Parameters<Parameters<typeof suite>[1]>[0]): Promise<ServiceOfUploads> {
  const service = await startService({ change })
  const parts = join(service.dataDir, 'parts')
  const filesOf = async () => (await readdir(parts, { recursive: true })).filter((name) => name.includes('/'))
  const sizeOf = async (name: string) => (await stat(join(parts, name))).size
  return {
    service,
    files: join(service.dataDir, 'files'),
    async stored() {
      const bytes = (await filesOf()).filter((name) => !name.endsWith('.json'))
      const sizes = await Promise.all(bytes.map(sizeOf))
      return bytes.filter((_, index) => sizes[index])
    },
    arrived: async (path) => sizeOf((await filesOf()).find((name) => path.endsWith(name.split('/')[1]!))!),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

t.test('what every driver does', (t) => suite(t, open))

t.test('parts are private files, and a given up upload leaves none', async (t) => {
  await using service = await startService()
  const parts = join(service.dataDir, 'parts')
  const filesOf = async () => (await readdir(parts, { recursive: true })).filter((name) => name.includes('/'))
  const path = placeOf(await begin(service, 100))
  await send(service, path, 0, 'STUB')
  const files = await filesOf()
  t.equal(files.length, 2)
  for (const name of files) t.equal((await stat(join(parts, name))).mode & 0o777, 0o600, name)
  t.equal((await stat(parts)).mode & 0o777, 0o700)
  t.equal((await call(service, 'DELETE', path, { headers: TUS })).status, 204)
  t.strictSame(await filesOf(), [], 'nor their records')
})

t.test('unfinished uploads expire, and count until then', async (t) => {
  await using small = await startService({ change: ({ plans }) => (plans.guest.storedBytes = 1000) })
  const first = placeOf(await begin(small, 600))
  await send(small, first, 0, 'x'.repeat(100))
  t.match(await begin(small, 600), refusal(429, 'QUOTA_EXCEEDED'))
  t.equal((await upload(small, form(`STUB\n${'x'.repeat(500)}`))).status, 429)
  const folder = join(small.dataDir, 'parts')
  const [name] = (await readdir(folder, { recursive: true })).filter((each) => each.endsWith('.json'))
  const record = JSON.parse(await readFile(join(folder, name!), 'utf8'))
  await writeFile(
    join(folder, name!),
    JSON.stringify({ ...record, creation_date: new Date(Date.now() - 86_400_001).toISOString() }),
  )
  t.equal((await head(small, first)).status, 404)
  t.equal(await small.kernel.resumable.sweep(Date.now() + 86_400_001, 100), 1)
  t.strictSame(
    (await readdir(folder, { recursive: true })).filter((each) => each.includes('/')),
    [],
  )
  t.equal((await begin(small, 600)).status, 201)
})

t.test('uploads that begin at the same time are not more than the limit', async (t) => {
  await using service = await startService()
  const begun = await Promise.all(Array.from({ length: 105 }, () => begin(service, 'later')))
  t.equal(begun.filter(({ status }) => status === 201).length, 100)
})

t.test('damaged and strange files among the parts do not stop the service', async (t) => {
  await using first = await startService()
  const path = placeOf(await begin(first, 100))
  await send(first, path, 0, 'STUB')
  const folder = join(first.dataDir, 'parts')
  const [name] = (await readdir(folder, { recursive: true })).filter((each) => each.endsWith('.json'))
  await writeFile(join(folder, name!), '')
  await writeFile(join(folder, 'strange'), '')
  const { dataDir, kernel } = first
  const storage = await createLocalStorage({ dataDir, freeDisk: 0 })
  const again = await createLocalResumable({ dataDir, storage, files: kernel.files })
  t.equal(await again.sweep(Date.now() + 86_400_001, 100), 0)
  t.strictSame(await readdir(folder, { recursive: true }), ['strange'], 'the damaged upload is gone')
})
