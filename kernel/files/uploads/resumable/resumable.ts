import { createRowSweep } from '../../../database/rows.ts'
import {
  becomeFile,
  deleteResumable,
  findResumable,
  listExpiredResumable,
  listResumableOf,
  releaseAllLocks,
  settleResumable,
  withdrawResumable,
} from '../../../database/tables/resumable-uploads.ts'
import { transact } from '../../../database/transact.ts'
import { ServiceError } from '../../../errors.ts'
import { type Owner, owns } from '../../../people/owner.ts'
import { UNCOUNTED } from '../../../people/stored-bytes.ts'
import { createSingleFlight } from '../../../single-flight.ts'
import type { FileNeeds } from '../../needs.ts'
import type { Parts } from '../../storage/parts.ts'
import type { Admission } from '../admission.ts'
import type { Files } from '../files.ts'
import { type Lease, takeLease } from './lease.ts'
import { createLocks } from './locks.ts'
import { busy, noSuchUpload, notComplete, offsetMismatch } from './refusals.ts'
import { ResumableStore } from './store.ts'

/**
 * Uploads that arrive in parts, and survive a restart. Their states are in the database, so any node may take any
 * request.
 */
export type Resumable = Awaited<ReturnType<typeof createResumable>>

/** @param alone Whether there is no other node. */
export async function createResumable(
  { database, storage, storedBytes, log }: FileNeeds,
  { files, parts, alone }: { files: Files; parts: Parts; alone: boolean },
) {
  if (alone) await releaseAllLocks(database)
  /** Lets one request at a time work on an upload. */
  const locks = createLocks(database)
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
    await tryToRemoveParts(id)
  }

  /** What cannot be removed now is removed when the upload expires. */
  const tryToRemoveParts = (id: string) => parts.remove(id).catch(() => {})

  /** Records what became of an upload. Resolves to false if the lease was lost. */
  async function settle(id: string, { fence }: Lease, outcome: Outcome): Promise<boolean> {
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
    if (row.outcome) return readOutcome(files, owner, row.outcome)
    // A process that was killed or stopped meanwhile had begun to make it.
    if (row.file_key) await files.erase(row.file_key)
    const { reserved, charged_to, size, metadata } = row
    // The parts count until they are gone.
    // biome-ignore lint/style/noNonNullAssertion: the upload is complete.
    const staged = { ...(await parts.join(id, size!, lease.lost)), arrival: UNCOUNTED }
    let outcome: Outcome
    let admission: Admission | undefined
    try {
      admission = await files.admit(owner, staged, nameIn(metadata), lease.lost, async (transaction, key, record) => {
        if (!(await becomeFile(transaction, id, lease.fence, { reserved, key }))) throw offsetMismatch()
        // One transaction replaces the charge for the parts by that for the file.
        await storedBytes.giveBack(transaction, charged_to, reserved, record)
      })
      outcome = { fileId: admission.file.key }
    } catch (error) {
      const refusal = outcomeOf(error)
      if (!refusal) throw error
      outcome = refusal
    }
    if (!(await settle(id, lease, outcome))) {
      if (admission) await files.erase(admission.file.key)
      throw offsetMismatch()
    }
    await tryToRemoveParts(id)
    return admission ?? readOutcome(files, owner, JSON.stringify(outcome))
  }

  async function removeExpired(id: string): Promise<void> {
    await withdraw(id)
    // Again, because a node that was stopped may have stored some too late.
    await parts.remove(id)
    await deleteResumable(database, id)
  }

  return {
    /** For tus: creates, continues and removes uploads. */
    store: new ResumableStore({ database, storage, parts, storedBytes, leaseOf: locks.leaseOf, remove }),
    locks,

    /** Returns the id of an owner's upload. @throws ServiceError NOT_FOUND, also for another owner's upload. */
    async idOf(owner: Owner, id: string) {
      const row = /^[0-9a-f-]{36}$/.test(id) ? await findResumable(database, id) : undefined
      if (!row || !owns(owner, row.owner)) throw noSuchUpload()
      return id
    },

    /**
     * Makes an uploaded file of a complete upload, or returns what it became.
     * @throws ServiceError NOT_FOUND if it is not complete; UNSUPPORTED_FORMAT, QUOTA_EXCEEDED, STORAGE_FULL; NOT_READY
     * if another node makes the file and does not end soon.
     */
    async finish(owner: Owner, id: string) {
      const row = await findResumable(database, id)
      if (!row || row.expires_at < Date.now()) throw noSuchUpload()
      if (row.outcome) return readOutcome(files, owner, row.outcome)
      if (row.received !== row.size) throw notComplete()
      return finishing(id, () => admit(owner, id))
    },

    /** Removes the parts of all uploads of these owners. Files that they became stay. */
    async removeAll(owners: readonly string[]) {
      const ids = await listResumableOf(database, owners)
      // All of them first: the storage may be slow.
      for (const id of ids) await withdraw(id)
      for (const id of ids) await tryToRemoveParts(id)
    },

    /** Removes at most `limit` expired uploads. Resolves as `createRowSweep` says. */
    sweep: createRowSweep({
      list: (now, limit, except) => listExpiredResumable(database, now, limit, except),
      keyOf: (id) => id,
      erase: removeExpired,
      log,
    }),
  }
}

/** The name that the client gave the file, if it gave one. @param metadata JSON. */
function nameIn(metadata: string | null): string {
  const { filename, name }: Record<string, string | null> = metadata ? JSON.parse(metadata) : {}
  return filename ?? name ?? ''
}

/** What became of a resumable upload whose last byte has arrived. */
type Outcome = { fileId: string } | { refused: { code: ServiceError['code']; message: string } }

/** Returns the uploaded file that an upload became. @throws ServiceError that refused it, NOT_FOUND. */
async function readOutcome(files: Files, owner: Owner, json: string): Promise<Admission> {
  const outcome: Outcome = JSON.parse(json)
  if ('fileId' in outcome) return files.describe(await files.find(owner, outcome.fileId))
  throw new ServiceError(outcome.refused.code, outcome.refused.message)
}

/** Returns an error as an outcome, if asking again is pointless. Other refusals may pass. */
const outcomeOf = (error: unknown): Outcome | undefined =>
  error instanceof ServiceError && error.code === 'UNSUPPORTED_FORMAT'
    ? { refused: { code: error.code, message: error.message } }
    : undefined
