import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Owner } from '../../accounts/owner.ts'
import type { Arrival } from '../../accounts/stored-bytes.ts'
import { ServiceError, storageFull } from '../../errors.ts'
import type { Bus } from '../../events/bus.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Admission } from '../admission.ts'
import type { Files } from '../files.ts'
import { noSuchUpload, PartStore, type Reservations } from './part-store.ts'
import { createPartRecords, type Outcome, type PartRecord } from './records.ts'

/** Milliseconds after its creation when an upload expires. */
const LIFETIME = 24 * 3_600_000

/** Uploads that arrive in parts, and survive a restart. */
export interface Resumable {
  /** Where their parts are. An id is `<owner>/<name>`. */
  store: PartStore
  /** Returns the id of an owner's upload. @throws ServiceError NOT_FOUND, also for another owner's upload. */
  idOf(owner: Owner, name: string): Promise<string>
  /**
   * Makes an uploaded file of a complete upload, or returns what it became.
   * @throws ServiceError NOT_FOUND if it is not complete; UNSUPPORTED_FORMAT, QUOTA_EXCEEDED, STORAGE_FULL.
   */
  finish(owner: Owner, id: string): Promise<Admission>
  /** Removes the parts of all uploads of these owners, and tells the other nodes. Files that they became stay. */
  removeAll(owners: readonly string[]): Promise<void>
  /** Removes at most `limit` expired uploads. Resolves to the number removed. */
  sweep(now: number, limit: number): Promise<number>
}

/** Creates the part for resumable uploads, and finds those of an earlier process. @param bus Leads to the other nodes. */
export async function createResumable({
  dataDir,
  storage,
  files,
  bus,
}: {
  dataDir: string
  storage: Storage
  files: Files
  bus?: Bus | undefined
}): Promise<Resumable> {
  const folder = join(dataDir, 'parts')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const records = createPartRecords(folder)
  const known = new Map<string, { expires: number; arrival?: Arrival | undefined }>()
  const finishing = new Map<string, Promise<Admission>>()

  const reservations: Reservations = {
    async room() {
      if (!(await storage.hasRoom())) throw storageFull()
    },
    async reserve(owner, size) {
      await reservations.room()
      const arrival = await files.expect(owner, size ?? 0)
      // The whole size counts from now on, or many unfinished uploads would fill the disk.
      await arrival.add(size ?? 0)
      return arrival
    },
    note: ({ id, creation_date }, arrival) =>
      void known.set(id, { expires: Date.parse(creation_date) + LIFETIME, arrival }),
    count: async (id, bytes) => known.get(id)?.arrival?.add(bytes),
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
    reservations.note(record, arrival)
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

  /** Returns the uploaded file that an upload became. @throws ServiceError that refused it, NOT_FOUND. */
  async function again(owner: Owner, outcome: Outcome): Promise<Admission> {
    if ('fileId' in outcome) return files.describe(await files.find(owner, outcome.fileId))
    throw new ServiceError(outcome.refused.code, outcome.refused.message)
  }

  async function admit(owner: Owner, id: string): Promise<Admission> {
    // An earlier call may have ended since the caller read the record.
    const record = await records.get(id)
    if (!record) throw noSuchUpload()
    if (record.outcome) return again(owner, record.outcome)
    const { metadata } = record
    // The parts count until they are gone.
    const arrival = { add: async () => {}, end() {} }
    // A link: if the service stops before the outcome is recorded, the parts are still there.
    const staged = { ...(await storage.adopt(store.pathOf(id))), arrival }
    const settle = async (outcome: Outcome) => {
      await records.change(id, { outcome })
      await rm(store.pathOf(id), { force: true })
      known.get(id)?.arrival?.end()
    }
    try {
      const admission = await files.admit(owner, staged, metadata?.filename ?? metadata?.name ?? '')
      await settle({ fileId: admission.file.key })
      return admission
    } catch (error) {
      // Other refusals may pass: the client can ask again.
      if (error instanceof ServiceError && error.code === 'UNSUPPORTED_FORMAT') {
        await settle({ refused: { code: error.code, message: error.message } })
      }
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

  async function removeHere(owners: readonly string[]): Promise<void> {
    for (const id of known.keys()) if (owners.includes(dirname(id))) await remove(id)
  }
  bus?.follow((message) => {
    // What cannot be removed now expires.
    if (message.type === 'discard') removeHere(message.owners).catch(() => {})
  })

  return {
    store,

    async idOf({ id, guest }, name) {
      for (const owner of [id, ...(guest ? [guest] : [])]) {
        const candidate = `${owner}/${name}`
        if (/^[0-9a-f-]{36}$/.test(name) && known.has(candidate)) return candidate
      }
      throw noSuchUpload()
    },

    async finish(owner, id) {
      const record = await records.get(id)
      if (!record) throw noSuchUpload()
      if (record.outcome) return again(owner, record.outcome)
      const { offset, size } = await store.getUpload(id)
      if (offset !== size)
        throw new ServiceError('NOT_FOUND', 'The upload is not complete: HEAD shows its Upload-Offset')
      const running = finishing.get(id) ?? admit(owner, id).finally(() => finishing.delete(id))
      finishing.set(id, running)
      return running
    },

    async removeAll(owners) {
      bus?.publish({ type: 'discard', owners })
      await removeHere(owners)
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
