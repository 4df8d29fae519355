/**
 * Records what an image contains, while its package lists are still there: what is outdated, for doctor, and all
 * packages. The Containerfile runs it.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOwnUpdates, RECORD } from './own-updates.ts'
import { listComponents } from './sbom.ts'

const updates = await findOwnUpdates()
if (updates.lists.state === 'absent') throw new Error('There is no package list of the security archive')
await writeFile(RECORD, JSON.stringify(updates))
await writeFile(join(import.meta.dirname, '..', '..', 'sbom.cdx.json'), JSON.stringify(await listComponents(), null, 1))
