import { parseArgs } from 'node:util'
import { audited } from '../boot/settings/audit.ts'
import type { Database } from '../database/database.ts'
import { recordedAmong } from '../database/tables/files.ts'
import { ABANDONED } from '../files/storage/abandoned.ts'
import { recordedName } from '../files/storage/keys.ts'
import type { ListedFile, Listing } from '../files/storage/listed-file.ts'
import { openListing } from '../files/storage/listing.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, oneOf, refuseMore } from './command.ts'
import { operate } from './open-database.ts'

/** A stored file that no record names. */
interface Stray extends ListedFile {
  removed: boolean
}

/** `npm run admin -- files stray`: lists stored files that no record names, or removes them. */
export const strayFiles: AdminCommand = {
  summary: 'Lists stored files that no record names, as after a restore, or removes them.',
  usage: [
    'Usage: npm run admin -- files stray [--remove] [--json]',
    '',
    'Set STORAGE_URL to the value of the service. --remove removes the files that are older than a day: of a younger one,',
    'the record may be under way. Do not use it if services with different databases share a bucket and its prefix.',
  ].join('\n'),
  async run(args) {
    const off = { type: 'boolean', default: false } as const
    const { values, positionals } = parseArgs({ args, options: { remove: off, json: off }, allowPositionals: true })
    const [word, ...rest] = positionals
    oneOf('files', word, ['stray'])
    refuseMore('files stray', rest)
    const strays = await operate(async ({ config, database, actor }) => {
      using listing = await openListing(config)
      if (!values.remove) return findStrays(database, listing, Number.NEGATIVE_INFINITY)
      // First, because the removal can be stopped in the middle.
      const change = { actor, action: 'files.remove-stray', subject: 'storage', details: {} }
      await audited(database, change, async () => {})
      return findStrays(database, listing, Date.now() - ABANDONED)
    })
    if (values.json) printJson(JSON.stringify(strays.map(shown), null, 2))
    else for (const stray of strays) printLine(Object.values(shown(stray)).join('  '))
    return 0
  },
}

const shown = ({ key, size, storedAt, removed }: Stray) => ({
  storedAt: new Date(storedAt).toISOString(),
  state: removed ? 'removed' : 'kept',
  size,
  key,
})

/**
 * Finds stored files that no record names. First it lists files, then it looks for their records, which are written
 * after the files.
 *
 * @param before Removes those that were stored earlier, in milliseconds since 1970.
 */
export async function findStrays(database: Database, listing: Listing, before: number): Promise<Stray[]> {
  const strays: Stray[] = []
  for await (const page of listing.pages()) {
    const names = page.map(({ key }) => recordedName(key))
    const recorded = await recordedAmong(database, names)
    for (const file of page.filter(({ key }) => !recorded.has(recordedName(key)))) {
      const removed = file.storedAt < before
      if (removed) await listing.remove(file.key)
      strays.push({ ...file, removed })
    }
  }
  return strays
}
