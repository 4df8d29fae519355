/** What is outdated among the packages of the engines, also in an image, which has no package lists. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findUpdates, type Updates } from './updates.ts'

const config = join(import.meta.dirname, '..')

/** What `record-image.ts` wrote when the image was built. */
export const RECORD = join(config, 'image-updates.json')

/**
 * Compares the installed packages of the engines with the security archive. Where there are no package lists, returns
 * what was known when the image was built. The lists of that day expire, too.
 *
 * @param now Milliseconds since the epoch. @param record Path of what the image recorded.
 */
export async function findOwnUpdates(now = Date.now(), record = RECORD): Promise<Updates> {
  const packages: { package: string; for: string }[] = JSON.parse(await readFile(join(config, 'packages.json'), 'utf8'))
  const names = packages.filter((item) => item.for !== 'test').map((item) => item.package)
  const updates = await findUpdates(names, now)
  if (updates.lists.state !== 'absent') return updates
  const recorded = await readFile(record, 'utf8').then(
    (text) => JSON.parse(text) as Updates,
    () => undefined,
  )
  if (!recorded || recorded.lists.state === 'absent') return updates
  const state = now <= Date.parse(recorded.lists.validUntil) ? 'current' : 'stale'
  return { ...recorded, lists: { ...recorded.lists, state } }
}
