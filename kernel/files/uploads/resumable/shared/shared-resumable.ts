import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '../../../../database/database.ts'
import { createRowSweep } from '../../../../database/rows.ts'
import { deletePieces } from '../../../../database/tables/resumable-pieces.ts'
import {
  becomeFile,
  deleteResumable,
  findResumable,
  listExpiredResumable,
  listResumableOf,
  type ResumableRow,
  settleResumable,
  withdrawResumable,
} from '../../../../database/tables/resumable-uploads.ts'
import { transact } from '../../../../database/transact.ts'
import { ServiceError } from '../../../../errors.ts'
import type { Owner } from '../../../../people/owner.ts'
import { type StoredBytes, UNCOUNTED } from '../../../../people/stored-bytes.ts'
import { createSingleFlight } from '../../../../single-flight.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { Admission } from '../../admission.ts'
import type { Files } from '../../files.ts'
import { busy, noSuchUpload, notComplete, offsetMismatch } from '../refusals.ts'
import { finalOutcomeOf, idsOf, nameIn, type Outcome, type Resumable, readOutcome } from '../resumable.ts'
import { type Lease, takeLease } from './leases.ts'
import { createPieces } from './pieces.ts'
import { createSharedLocks } from './shared-locks.ts'
import { SharedStore } from './shared-store.ts'

/** Keeps resumable uploads in the database and the storage that several nodes share: any node may take any request. */
export async function createSharedResumable({
  dataDir,
  database,
  storage,
  storedBytes,
  files,
  log,
}: {
  dataDir: string
  database: Database
  storage: Storage
  storedBytes: StoredBytes
  files: Files
  log: Logger
}): Promise<Resumable> {
  await removeParts(join(dataDir, 'parts'), log)
  const pieces = createPieces({ database, storage, storedBytes })
  const locks = createSharedLocks(database)
  const store = new SharedStore({ database, storage, storedBytes, pieces, heldOf: locks.heldOf, remove })
  const finishing = createSingleFlight<Admission>()

  /** Removes an upload for clients. Requests that work on it can write nothing any more. */
  async function withdraw(id: string): Promise<void> {
    for (let row = await findResumable(database, id); row; row = await findResumable(database, id)) {
      const { reserved, charged_to } = row
      await transact(database, async (transaction) => {
        // Otherwise its charge has changed in between, and it is read again.
        if (!(await withdrawResumable(transaction, id, reserved))) return
        await storedBytes.giveBack(transaction, charged_to, reserved)
      })
    }
  }

  async function remove(id: string): Promise<void> {
    await withdraw(id)
    await tryToClear(id)
  }

  /** Removes the objects of an upload. What cannot be removed now is removed when the upload expires. */
  const tryToClear = (id: string) => pieces.clear(id).catch(() => {})

  /** Records what became of an upload. Resolves to false if the lease was lost. */
  async function settle({ id }: ResumableRow, { fence }: Lease, outcome: Outcome): Promise<boolean> {
    const row = await findResumable(database, id)
    if (!row) return false
    return transact(database, async (transaction) => {
      const { reserved, charged_to } = row
      const settled = await settleResumable(transaction, id, fence, { reserved, outcome: JSON.stringify(outcome) })
      if (settled) await storedBytes.giveBack(transaction, charged_to, reserved)
      return settled
    })
  }

  async function admit(owner: Owner, id: string): Promise<Admission> {
    // It is not given up when others ask for it: they want the same file.
    await using lease = await takeLease(database, id, () => {})
    try {
      return await admitUnder(lease, owner, id)
    } catch (error) {
      const isLost = error instanceof ServiceError && error.code === 'OFFSET_MISMATCH'
      if (!isLost && !lease.lost.aborted) throw error
      // Another node makes the file now, or the upload was removed.
      throw (await findResumable(database, id)) ? busy() : noSuchUpload()
    }
  }

  async function admitUnder(lease: Lease, owner: Owner, id: string): Promise<Admission> {
    const row = await findResumable(database, id)
    if (!row) throw noSuchUpload()
    if (row.outcome) return readOutcome(files, owner, JSON.parse(row.outcome))
    // A node that was killed or stopped meanwhile had begun to make it.
    if (row.file_key) await files.erase(row.file_key)
    const { reserved, charged_to, size, metadata } = row
    const content = await pieces.read(id, size!, lease.lost)
    // The pieces count until they are gone.
    const staged = { ...(await storage.stage(content, lease.lost, UNCOUNTED.add)), arrival: UNCOUNTED }
    const name = nameIn(metadata ? JSON.parse(metadata) : undefined)
    let outcome: Outcome
    let admission: Admission | undefined
    try {
      admission = await files.admit(owner, staged, name, lease.lost, async (transaction, key, record) => {
        if (!(await becomeFile(transaction, id, lease.fence, { reserved, key }))) throw offsetMismatch()
        // One transaction replaces the charge for the pieces by that for the file.
        await storedBytes.giveBack(transaction, charged_to, reserved, record)
      })
      outcome = { fileId: admission.file.key }
    } catch (error) {
      const refusal = finalOutcomeOf(error)
      if (!refusal) throw error
      outcome = refusal
    }
    if (!(await settle(row, lease, outcome))) {
      if (admission) await files.erase(admission.file.key)
      throw offsetMismatch()
    }
    await tryToClear(id)
    return admission ?? readOutcome(files, owner, outcome)
  }

  /** Removes all of an expired upload. */
  async function end(id: string): Promise<void> {
    await withdraw(id)
    await pieces.clear(id)
    await deletePieces(database, id)
    await deleteResumable(database, id)
  }

  return {
    store,
    locks,

    async idOf(owner, name) {
      for (const id of idsOf(owner, name)) {
        if (await findResumable(database, id)) return id
      }
      throw noSuchUpload()
    },

    async finish(owner, id) {
      const row = await findResumable(database, id)
      if (!row || row.expires_at < Date.now()) throw noSuchUpload()
      if (row.outcome) return readOutcome(files, owner, JSON.parse(row.outcome))
      if (row.received !== row.size) throw notComplete()
      return finishing(id, () => admit(owner, id))
    },

    async removeAll(owners) {
      const ids = await listResumableOf(database, owners)
      // All of them first: the storage may be slow.
      for (const id of ids) await withdraw(id)
      for (const id of ids) await tryToClear(id)
    },

    sweep: createRowSweep({
      list: (now, limit, except) => listExpiredResumable(database, now, limit, except),
      keyOf: (id) => id,
      erase: end,
      log,
    }),
  }
}

/** Removes uploads of the time when this node was the only one: nobody can continue them. */
async function removeParts(folder: string, log: Logger): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  await rm(folder, { recursive: true, force: true })
  const uploads = names.filter((name) => name.endsWith('.json')).length
  if (uploads) log.warn({ uploads }, `${folder} removed: with REDIS_URL, its unfinished uploads cannot continue`)
}
