import type { Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import { findStrays } from '../../kernel/admin/files.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { insertResumable } from '../../kernel/database/tables/resumable-uploads.ts'
import { openListing } from '../../kernel/files/storage/listing.ts'
import { admin } from '../harness/inside.ts'
import { convert, get, type Service } from '../harness/service.ts'

export const ID = '01a20f1660c87000a7a4366f6010163d'
/** Keys that a service could have made. */
export const STRAYS = [
  `outputs/2026/11/24/${ID}-2/one.bust`,
  `outputs/2026/11/24/${ID}/one.bust`,
  `parts/019acc10-5a6b-7000-8000-00000000dead/0-1-${'0'.repeat(64)}`,
  `uploads/2026/11/24/${ID}/one.stub`,
]
/** A resumable upload that has a record, and a part of it. */
const RESUMABLE = '019acc10-5a6b-7000-8000-0000000000aa'
const PART = `parts/${RESUMABLE}/0-1-${'0'.repeat(64)}`
/** What other programs have stored. */
export const FOREIGN = ['uploads/holiday.jpg', `uploads/2026/11/${ID}/one.stub`, 'parts/list', 'readme.txt']

/** Checks the command on the storage of a service. @param put Stores a file behind its back. */
export async function findsStrays(
  t: Test,
  service: Service,
  env: Record<string, string>,
  put: (key: string) => Promise<unknown>,
): Promise<void> {
  const { download } = await convert(service)
  for (const key of [...STRAYS, PART, ...FOREIGN]) await put(key)
  const { dataDir } = service
  const database = await openDatabase({ url: undefined, dataDir })
  t.teardown(() => database.destroy())
  await insertResumable(database, {
    id: RESUMABLE,
    owner: 'guest_a',
    size: 7,
    metadata: null,
    plan: 'guest',
    charged_to: '',
    reserved: 0,
    created_at: Date.now(),
    expires_at: Date.now() + 3_600_000,
  })

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await admin({ DATA_DIR: dataDir, ...env }, 'files', 'stray', ...args)
    t.equal(code, 0, stderr)
    return stdout
  }
  const listed = async (...args: string[]) =>
    JSON.parse(await command('--json', ...args)).map(({ key, state, size }: any) => [key, state, size])
  const young = STRAYS.map((key) => [key, 'kept', 7])
  t.strictSame((await listed()).sort(), young)
  t.strictSame((await listed('--remove')).sort(), young, 'the record of a young file may be under way')
  t.match(await command(), /^\d{4}-\S+Z {2}kept {2}7 {2}parts\/\S+$/m)

  using listing = await openListing(loadConfig({ env: { DATA_DIR: dataDir, ...env }, argv: [] }))
  const removed = await findStrays(database, listing, Date.now() + 3_600_000)
  t.strictSame(
    removed.map(({ key, removed }) => [key, removed]).sort(),
    STRAYS.map((key) => [key, true]),
  )
  t.strictSame(await listed(), [])
  for (const key of STRAYS) await listing.remove(key)
  t.equal((await get(service, download as string)).status, 200)
  const kept = []
  for await (const page of listing.pages()) kept.push(...page.map(({ key }) => key))
  t.equal(kept.length, 3, 'an upload, a result, a part')
  t.ok(kept.includes(PART))
  t.match(await database('audit').select('action'), [{ action: 'files.remove-stray' }])
}
