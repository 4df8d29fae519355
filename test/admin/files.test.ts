/** `files stray` finds what no record names in a folder, and leaves everything else alone. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { openListing } from '../../kernel/files/storage/listing.ts'
import { folderOf } from '../harness/folder.ts'
import { startService } from '../harness/service.ts'
import { findsStrays, ID } from './stray-files.ts'

/** Stores a file behind the service's back. @param at Folder of the stored files. */
const storeIn = (at: string) => async (key: string) => {
  await mkdir(dirname(join(at, key)), { recursive: true })
  await writeFile(join(at, key), 'content')
}

t.test('the data folder', async (t) => {
  await using service = await startService()
  await findsStrays(t, service, {}, storeIn(join(service.dataDir, 'files')))
})

t.test('a folder that is removed meanwhile is no error', async (t) => {
  const dataDir = await folderOf(t)
  const store = storeIn(join(dataDir, 'files'))
  // A page has 1,000 files.
  for (let n = 0; n < 1000; n++) await store(`uploads/2026/11/23/${ID}/${n}.stub`)
  await store(`uploads/2026/11/24/${ID}/late.stub`)
  using listing = await openListing(loadConfig({ env: { DATA_DIR: dataDir }, argv: [] }))
  let found = 0
  for await (const page of listing.pages()) {
    found += page.length
    await rm(join(dataDir, 'files/uploads/2026/11/24'), { recursive: true, force: true })
  }
  t.equal(found, 1000)
})
