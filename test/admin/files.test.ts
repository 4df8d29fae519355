/** `files stray` finds what no record names, in each kind of storage, and leaves everything else alone. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import { findStrays } from '../../kernel/admin/files.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { openListing } from '../../kernel/storage/listing.ts'
import { removeFolder } from '../harness/folder.ts'
import { startAthanor } from '../harness/program.ts'
import { environmentOf, startObjectStore } from '../harness/servers/object-store.ts'
import { admin } from '../start/program.ts'

t.setTimeout(900_000)

const ID = '01a20f1660c87000a7a4366f6010163d'
/** Keys that a service could have made. */
const STRAYS = [
  `outputs/2026/11/24/${ID}-2/one.bust`,
  `outputs/2026/11/24/${ID}/one.bust`,
  'parts/name/0-7-1',
  `uploads/2026/11/24/${ID}/one.stub`,
]
/** A piece of an upload, which is recorded. */
const PIECE = 'parts/name/7-9-1'
/** What other programs have stored. */
const FOREIGN = ['uploads/holiday.jpg', `uploads/2026/11/${ID}/one.stub`, 'parts/list', 'readme.txt']

/** A service, and a way to store files behind its back and to list all of them. */
interface Place {
  env: NodeJS.ProcessEnv
  put(key: string): Promise<unknown>
}

/** @param at Folder of the stored files. */
const folderPlace = (at: string, env: NodeJS.ProcessEnv = {}): Place => ({
  env,
  async put(key) {
    await mkdir(dirname(join(at, key)), { recursive: true })
    await writeFile(join(at, key), 'content')
  },
})

async function test(t: Test, dataDir: string, { env, put }: Place): Promise<void> {
  const service = await startAthanor(dataDir, {}, env)
  t.teardown(() => service.end('SIGKILL'))
  const { fileId } = await service.upload('STUB\nkept', 'a.stub')
  const { outputUrl } = await service.finish(await service.start(fileId, 'bust'))
  for (const key of [...STRAYS, PIECE, ...FOREIGN]) await put(key)
  const database = await openDatabase({ url: undefined, dataDir })
  t.teardown(() => database.destroy())
  await database('resumable_pieces').insert({ key: PIECE, upload: 'a/name', start: 7, size: 2, counts: true })

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await admin(t, { DATA_DIR: dataDir, ...env }, 'files', 'stray', ...args)
    t.equal(code, 0, stderr)
    return stdout
  }
  const listed = async (...args: string[]) =>
    JSON.parse(await command('--json', ...args)).map(({ key, state, size }: any) => [key, state, size])
  const young = STRAYS.map((key) => [key, 'kept', 7])
  t.strictSame((await listed()).sort(), young)
  t.strictSame((await listed('--remove')).sort(), young, 'the record of a young file may be under way')
  t.match(await command(), /^\d{4}-\S+Z {2}kept {2}7 {2}parts\/name\/0-7-1$/m)

  Object.assign(process.env, env)
  using listing = await openListing(loadConfig({ env: { DATA_DIR: dataDir, ...env }, argv: [] }))
  const removed = await findStrays(database, listing, Date.now() + 3_600_000)
  t.strictSame(
    removed.map(({ key, removed }) => [key, removed]).sort(),
    STRAYS.map((key) => [key, true]),
  )
  t.strictSame(await listed(), [])
  for (const key of STRAYS) await listing.remove(key)
  t.equal(await (await fetch(outputUrl)).text(), 'BUST\nkept')
  t.match(await service.finish(await service.start(fileId, 'bust')), { status: 'completed' })
  const kept = []
  for await (const page of listing.pages()) kept.push(...page.map(({ key }) => key))
  t.equal(kept.length, 4, 'an upload, two results, a piece')
  t.ok(kept.includes(PIECE))
  t.match(await database('audit').select('action'), [{ action: 'files.remove-stray' }])
}

async function emptyFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-stray-'))
  t.teardown(() => removeFolder(folder))
  await chmod(folder, 0o711) // engines run as another user
  for (const name of ['data', 'share']) await mkdir(join(folder, name), { mode: 0o711 })
  return folder
}

t.test('the data folder', async (t) => {
  const dataDir = join(await emptyFolder(t), 'data')
  await test(t, dataDir, folderPlace(join(dataDir, 'files')))
})

t.test('a folder that is removed meanwhile is no error', async (t) => {
  const dataDir = join(await emptyFolder(t), 'data')
  const { put } = folderPlace(join(dataDir, 'files'))
  // A page has 1,000 files.
  for (let n = 0; n < 1000; n++) await put(`uploads/2026/11/23/${ID}/${n}.stub`)
  await put(`uploads/2026/11/24/${ID}/late.stub`)
  using listing = await openListing(loadConfig({ env: { DATA_DIR: dataDir }, argv: [] }))
  let found = 0
  for await (const page of listing.pages()) {
    found += page.length
    await rm(join(dataDir, 'files/uploads/2026/11/24'), { recursive: true, force: true })
  }
  t.equal(found, 1000)
})

t.test('a shared folder', async (t) => {
  const folder = await emptyFolder(t)
  const share = join(folder, 'share')
  await test(t, join(folder, 'data'), folderPlace(join(share, 'files'), { STORAGE_URL: `file://${share}` }))
})

t.test('a bucket, below a prefix', async (t) => {
  const store = await startObjectStore()
  t.teardown(() => store[Symbol.asyncDispose]())
  await store.send('PUT', '/stray')
  const { STORAGE_URL, ...keys } = environmentOf(store, 'stray')
  const env = { ...keys, STORAGE_URL: STORAGE_URL!.replace('/stray?', '/stray/some/where?') }
  const outside = [STRAYS[0]!, `some/${STRAYS[1]}`]
  for (const key of outside) await store.send('PUT', `/stray/${key}`, 'content')
  await test(t, join(await emptyFolder(t), 'data'), {
    env,
    put: (key) => store.send('PUT', `/stray/some/where/${key}`, 'content'),
  })
  const { stored } = await store.list('stray')
  for (const key of [...outside, ...FOREIGN.map((key) => `some/where/${key}`)]) t.ok(stored.includes(key), key)
})
