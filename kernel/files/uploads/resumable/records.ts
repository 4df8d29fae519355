import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Payer } from '../../../people/owner.ts'
import type { Outcome } from './resumable.ts'

/** The state of a resumable upload that survives a restart. Its bytes are in a file beside it. */
export interface PartRecord {
  /** `<owner>/<id>` */
  id: string
  /** Bytes of the whole file. Undefined: the client has not said it yet. */
  size?: number
  /** As the client sent it. */
  metadata?: Record<string, string | null>
  /** ISO 8601. */
  creation_date: string
  /** Who pays for the bytes. */
  payer?: Payer
  /** The length of the file before a part whose checksum is not checked yet. */
  unchecked?: number
  outcome?: Outcome
}

/** Keeps the states as JSON files, `<owner>/<id>.json` below a folder, for the service's user only. */
export function createPartRecords(folder: string) {
  const placeOf = (id: string) => join(folder, `${id}.json`)

  /** Undefined also for a damaged record. */
  async function get(id: string): Promise<PartRecord | undefined> {
    try {
      return JSON.parse(await readFile(placeOf(id), 'utf8'))
    } catch (error) {
      // After a power cut, a new file can be empty.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
      throw error
    }
  }

  async function set(id: string, record: PartRecord): Promise<void> {
    const draft = `${placeOf(id)}.new`
    await writeFile(draft, JSON.stringify(record), { mode: 0o600 })
    await rename(draft, placeOf(id))
  }

  /** The last work on each record, until it has ended. */
  const working = new Map<string, Promise<void>>()

  /** Works on one record at a time. Otherwise a change could write over another one, or bring a deleted record back. */
  function inTurn(id: string, work: () => Promise<void>): Promise<void> {
    const done = (working.get(id) ?? Promise.resolve()).then(work)
    const over: Promise<void> = done
      .catch(() => {})
      .then(() => {
        if (working.get(id) === over) working.delete(id)
      })
    working.set(id, over)
    return done
  }

  return {
    get,
    set: (id: string, record: PartRecord) => inTurn(id, () => set(id, record)),
    /** Changes fields of a record. */
    change: (id: string, fields: { [Key in keyof PartRecord]?: PartRecord[Key] | undefined }) =>
      inTurn(id, async () => {
        const record = await get(id)
        if (record) await set(id, { ...record, ...fields } as PartRecord)
      }),
    delete: (id: string) => inTurn(id, () => rm(placeOf(id), { force: true })),
  }
}

export type PartRecords = ReturnType<typeof createPartRecords>
