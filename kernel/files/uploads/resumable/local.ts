import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError, storageFull } from '../../../errors.ts'
import type { Owner } from '../../../people/owner.ts'
import { type Arrival, UNCOUNTED } from '../../../people/stored-bytes.ts'
import { createSingleFlight } from '../../../single-flight.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Admission } from '../admission.ts'
import type { Files } from '../files.ts'
import { createLocks } from './locks.ts'
import { PartStore, type Reservations, refuseGone } from './part-store.ts'
import { createPartRecords, type PartRecord } from './records.ts'
import { noSuchUpload, notComplete, requireFew } from './refusals.ts'
import { finalOutcomeOf, idsOf, LIFETIME, nameIn, type Outcome, type Resumable, readOutcome } from './resumable.ts'

/** An upload that is not removed. */
interface Known {
  /** Epoch milliseconds. */
  expires: number
  /** Bytes that its reservation counts. */
  counted: number
  arrival?: Arrival | undefined
  /** Whether it has become a file, or was refused. */
  isFinished?: boolean
}

/** Keeps resumable uploads in the data folder, for one node, and finds those of an earlier process. */
export async function createLocalResumable({
  dataDir,
  storage,
  files,
}: {
  dataDir: string
  storage: Storage
  files: Files
}): Promise<Resumable> {
  const folder = join(dataDir, 'parts')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const records = createPartRecords(folder)
  const known = new Map<string, Known>()
  const finishing = createSingleFlight<Admission>()

  const reservations: Reservations = {
    async room() {
      if (!(await storage.hasRoom())) throw storageFull()
    },
    begin(record) {
      const owner = dirname(record.id)
      const own = [...known].filter(([id, { isFinished }]) => !isFinished && id.startsWith(`${owner}/`))
      requireFew(own.map(([, { expires }]) => expires))
      reservations.note(record, 0)
    },
    async reserve(owner, size) {
      await reservations.room()
      const arrival = await files.expect(owner, size ?? 0)
      // The whole size counts from now on, or many unfinished uploads would fill the disk.
      await arrival.add(size ?? 0)
      return arrival
    },
    note({ id, creation_date, outcome }, counted, arrival) {
      known.set(id, {
        expires: Date.parse(creation_date) + LIFETIME,
        counted,
        arrival,
        isFinished: outcome !== undefined,
      })
    },
    async count(id, end) {
      const upload = known.get(id)
      // A part that was sent again is counted already.
      const more = upload ? end - upload.counted : 0
      if (more <= 0) return
      upload!.counted = end
      await upload!.arrival?.add(more)
    },
    has: (id) => known.has(id),
    release(id) {
      known.get(id)?.arrival?.end()
      known.delete(id)
    },
  }
  const store = new PartStore(folder, records, reservations, LIFETIME)

  /** Counts an unfinished upload of an earlier process again, also if its bytes would not fit any more. */
  async function recall(record: PartRecord): Promise<void> {
    const { payer, outcome, size } = record
    const arrival = payer && !outcome ? await files.expect(payer as Owner, 0).catch(() => undefined) : undefined
    const bytes = size ?? (await sizeOf(store.pathOf(record.id)))
    await arrival?.add(bytes).catch(() => {})
    reservations.note(record, bytes, arrival)
  }

  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await recallAll(entry.name)

  async function recallAll(owner: string): Promise<void> {
    for (const name of await readdir(join(folder, owner))) {
      if (name.endsWith('.new')) await rm(join(folder, owner, name))
      if (!name.endsWith('.json')) continue
      const id = join(owner, name.slice(0, -'.json'.length))
      const record = await records.get(id)
      if (record) await recall(record)
      else await Promise.all([rm(store.pathOf(id), { force: true }), records.delete(id)])
    }
    // Fails unless the folder is empty, which is fine.
    await rmdir(join(folder, owner)).catch(() => {})
  }

  async function admit(owner: Owner, id: string): Promise<Admission> {
    // An earlier call may have ended since the caller read the record.
    const record = await records.get(id)
    if (!record) throw noSuchUpload()
    if (record.outcome) return readOutcome(files, owner, record.outcome)
    const { metadata } = record
    // The parts count until they are gone.
    // A link: if the service stops before the outcome is recorded, the parts are still there.
    const staged = { ...(await storage.adopt(store.pathOf(id)).catch(refuseGone)), arrival: UNCOUNTED }
    const settle = async (outcome: Outcome) => {
      await records.change(id, { outcome })
      await rm(store.pathOf(id), { force: true })
      const upload = known.get(id)
      if (!upload) return
      upload.isFinished = true
      upload.arrival?.end()
    }
    try {
      const admission = await files.admit(owner, staged, nameIn(metadata))
      await settle({ fileId: admission.file.key })
      return admission
    } catch (error) {
      const refusal = finalOutcomeOf(error)
      if (refusal) await settle(refusal)
      throw error
    }
  }

  /** Removes an upload, also one without its files. */
  async function remove(id: string): Promise<void> {
    await store.remove(id).catch((error) => {
      if (!(error instanceof ServiceError)) throw error
      reservations.release(id)
    })
  }

  return {
    store,
    locks: createLocks(),

    async idOf(owner, name) {
      const id = idsOf(owner, name).find((candidate) => known.has(candidate))
      if (id === undefined) throw noSuchUpload()
      return id
    },

    async finish(owner, id) {
      const record = await records.get(id)
      if (!record) throw noSuchUpload()
      if (record.outcome) return readOutcome(files, owner, record.outcome)
      const { offset, size } = await store.getUpload(id)
      if (offset !== size) throw notComplete()
      return finishing(id, () => admit(owner, id))
    },

    async removeAll(owners) {
      for (const id of known.keys()) if (owners.includes(dirname(id))) await remove(id)
    },

    async sweep(now, limit) {
      const expired = [...known].filter(([, { expires }]) => expires <= now).slice(0, limit)
      for (const [id] of expired) await remove(id)
      return expired.length
    },
  }
}

/** Bytes of a file; 0 if it is missing. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
