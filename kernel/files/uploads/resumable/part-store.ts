import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/utils'
import { isFull, storageFull } from '../../../errors.ts'
import type { Owner } from '../../../people/owner.ts'
import type { Arrival } from '../../../people/stored-bytes.ts'
import type { PartRecord, PartRecords } from './records.ts'
import { checksumMismatch, emptyFile, noSuchUpload } from './refusals.ts'
import { EXTENSIONS, partRequest } from './resumable.ts'

/** Bytes per write. */
const WRITE = 256 * 1024

/** The bytes of unfinished uploads that are reserved or have arrived. */
export interface Reservations {
  /** @throws ServiceError STORAGE_FULL if the disk has no room for uploads. */
  room(): Promise<void>
  /** Notes a new upload. @throws ServiceError QUOTA_EXCEEDED if its owner has too many unfinished ones. */
  begin(record: PartRecord): void
  /** @param size Bytes; undefined: not known yet. @throws ServiceError QUOTA_EXCEEDED, STORAGE_FULL. */
  reserve(owner: Owner, size: number | undefined): Promise<Arrival>
  /** Notes an upload with its reservation. @param counted Bytes that the reservation counts. */
  note(record: PartRecord, counted: number, arrival?: Arrival): void
  /**
   * Counts an upload whose size is not known up to this byte, unless it is counted already.
   * @throws ServiceError QUOTA_EXCEEDED.
   */
  count(id: string, end: number): Promise<void>
  /** Whether an upload is known, and not removed. */
  has(id: string): boolean
  /** Ends a reservation, or does nothing. */
  release(id: string): void
}

/**
 * The file store of tus, with checksums, reservations and files for the service's user only. The length of a file is
 * the offset of its upload, so whatever was written before a crash counts.
 */
export class PartStore extends FileStore {
  readonly #records: PartRecords
  readonly #reservations: Reservations

  /** @param lifetime Milliseconds after which an upload expires. */
  constructor(directory: string, records: PartRecords, reservations: Reservations, lifetime: number) {
    super({ directory, configstore: records as never, expirationPeriodInMilliseconds: lifetime })
    this.extensions = [...EXTENSIONS]
    this.#records = records
    this.#reservations = reservations
  }

  pathOf(id: string): string {
    return join(this.directory, id)
  }

  override async create(upload: Upload): Promise<Upload> {
    const { owner } = partRequest.getStore()!
    const { id, size, metadata, creation_date } = upload
    if (size === 0) throw emptyFile()
    const record: PartRecord = {
      id,
      creation_date: creation_date!,
      ...(size !== undefined && { size }),
      ...(metadata && { metadata }),
      payer: { id: owner.id, plan: owner.plan, chargeTo: owner.chargeTo },
    }
    this.#reservations.begin(record)
    try {
      const arrival = await this.#reservations.reserve(owner, size)
      this.#reservations.note(record, size ?? 0, arrival)
      await mkdir(dirname(this.pathOf(id)), { recursive: true, mode: 0o700 })
      await this.#records.set(id, record)
      await writeFile(this.pathOf(id), '', { mode: 0o600, flag: 'wx' })
    } catch (error) {
      this.#reservations.release(id)
      throw isFull(error) ? storageFull(error) : error
    }
    // All uploads of the owner were removed meanwhile.
    if (!this.#reservations.has(id)) await this.remove(id)
    return upload
  }

  /**
   * Notes the length of an upload that began without one.
   * @throws ServiceError BAD_REQUEST, NOT_FOUND, QUOTA_EXCEEDED.
   */
  override async declareUploadLength(id: string, size: number): Promise<void> {
    if (size === 0) throw emptyFile()
    const record = await this.#records.get(id)
    if (!record) throw noSuchUpload()
    await this.#count(id, size)
    await this.#records.change(id, { size })
  }

  /**
   * Counts up to a byte. An upload that does not fit is removed: its reservation has ended, so nothing of it may stay.
   */
  async #count(id: string, end: number): Promise<void> {
    try {
      await this.#reservations.count(id, end)
    } catch (error) {
      await this.remove(id)
      throw error
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.#records.get(id)
    if (!record || Date.parse(record.creation_date) + this.getExpiration() < Date.now()) throw noSuchUpload()
    const size = record.outcome ? record.size : await this.#sizeOf(id)
    return new Upload({ ...record, offset: record.unchecked ?? size! })
  }

  /** The bytes that have arrived. */
  async #sizeOf(id: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(id))).size
    } catch (error) {
      // It may have become a file since its record was read.
      const now = await this.#records.get(id)
      return now?.outcome ? now.size : refuseGone(error as NodeJS.ErrnoException)
    }
  }

  override async remove(id: string): Promise<void> {
    if (!(await this.#records.get(id))) throw noSuchUpload()
    this.#reservations.release(id)
    await rm(this.pathOf(id), { force: true })
    await this.#records.delete(id)
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const { checksum, begin } = partRequest.getStore()!
    const record = await this.#records.get(id)
    // A complete upload takes no more, and may become a file now.
    if (!record || record.outcome || record.size === offset) return offset
    const path = this.pathOf(id)
    await this.#reservations.room()
    // The rest of a part that was not checked, because the service stopped.
    await truncate(path, offset).catch(refuseGone)
    if (checksum) await this.#records.change(id, { unchecked: offset })
    const hash = checksum && createHash(checksum.algorithm)
    let end = offset
    const count = async (chunk: Buffer) => {
      // Its bytes no longer count once it is removed, so no more may come.
      if (!this.#reservations.has(id)) throw noSuchUpload()
      if (record.size === undefined) await this.#count(id, end + chunk.length)
      hash?.update(chunk)
      end += chunk.length
    }
    begin()
    try {
      const target = createWriteStream(path, { flags: 'r+', start: offset, highWaterMark: WRITE })
      const counting = new Transform({
        transform: (chunk: Buffer, _encoding, done) => void count(chunk).then(() => done(null, chunk), done),
      })
      await pipeline(body, counting, target)
      if (hash && hash.digest('base64') !== checksum.digest) throw checksumMismatch()
    } catch (error) {
      if (checksum) await truncate(path, offset).catch(ifRemoved)
      if (isFull(error)) throw storageFull(error)
      return refuseGone(error as NodeJS.ErrnoException)
    } finally {
      if (checksum) await this.#records.change(id, { unchecked: undefined })
    }
    return end
  }
}

/** @throws ServiceError NOT_FOUND if the file is not there any more, otherwise the error. */
export function refuseGone(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? noSuchUpload() : error
}

const ifRemoved = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}
