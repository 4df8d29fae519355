import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/utils'
import type { Database } from '../../../database/database.ts'
import {
  countBytes,
  findResumable,
  insertResumable,
  listUnfinished,
  type ResumableRow,
} from '../../../database/tables/resumable-uploads.ts'
import { ServiceError, storageFull } from '../../../errors.ts'
import { type Owner, readSubjects } from '../../../people/owner.ts'
import type { StoredBytes } from '../../../people/stored-bytes.ts'
import { type Parts, PartsLost } from '../../storage/parts.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Checksum, verified } from './checksum.ts'
import type { Lease } from './lease.ts'
import { emptyFile, noSuchUpload, offsetMismatch, requireFew } from './refusals.ts'

/** Milliseconds after its creation when an upload expires. */
const LIFETIME_MS = 24 * 3_600_000

/** What the store must know of the request that it works for. */
export interface PartRequest {
  owner: Owner
  checksum?: Checksum | undefined
  /** Called before the body is read. */
  begin: () => void
}

/** The request of the current call. */
export const partRequest = new AsyncLocalStorage<PartRequest>()

interface Dependencies {
  database: Database
  storage: Storage
  parts: Parts
  storedBytes: StoredBytes
  /** Returns the lease of the request that works on an upload. */
  leaseOf: (id: string) => Lease | undefined
  /** Removes an upload. */
  remove: (id: string) => Promise<void>
}

/** The store of tus: the states of uploads are rows of the database. */
export class ResumableStore extends DataStore {
  readonly #use: Dependencies

  constructor(dependencies: Dependencies) {
    super()
    this.extensions = ['creation', 'creation-defer-length', 'termination', 'expiration', 'checksum']
    this.#use = dependencies
  }

  override getExpiration(): number {
    return LIFETIME_MS
  }

  override async create(upload: Upload): Promise<Upload> {
    const { storage, storedBytes } = this.#use
    // biome-ignore lint/style/noNonNullAssertion: tus calls it within a request.
    const { owner } = partRequest.getStore()!
    const { id, size = null, metadata, creation_date } = upload
    if (size === 0) throw emptyFile()
    if (!(await storage.hasRoom())) throw storageFull()
    if (size === null) await storedBytes.requireRoom(owner)
    // biome-ignore lint/style/noNonNullAssertion: tus sets it.
    const created_at = Date.parse(creation_date!)
    const row = {
      id,
      owner: owner.id,
      size,
      metadata: metadata ? JSON.stringify(metadata) : null,
      plan: owner.plan,
      charged_to: owner.chargeTo.join(' '),
      reserved: size ?? 0,
      created_at,
      expires_at: created_at + LIFETIME_MS,
    }
    // The whole size counts from now on, or many unfinished uploads would fill the storage.
    await storedBytes.charge(owner, row.reserved, 'file', async (transaction, take) => {
      // On several nodes, those that begin at the same time may be a few more.
      requireFew(await listUnfinished(transaction, owner.id, Date.now()))
      await insertResumable(transaction, row)
      await take()
    })
    return upload
  }

  async #find(id: string): Promise<ResumableRow> {
    const row = await findResumable(this.#use.database, id)
    if (!row || row.expires_at < Date.now()) throw noSuchUpload()
    return row
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, received, metadata, created_at } = await this.#find(id)
    return new Upload({
      id,
      offset: received,
      creation_date: new Date(created_at).toISOString(),
      ...(size !== null && { size }),
      ...(metadata && { metadata: JSON.parse(metadata) }),
    } as Upload)
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id)
    await this.#use.remove(id)
  }

  /**
   * Records the length of an upload that began without one.
   * @throws ServiceError BAD_REQUEST, NOT_FOUND, QUOTA_EXCEEDED.
   */
  override async declareUploadLength(id: string, size: number): Promise<void> {
    if (size === 0) throw emptyFile()
    const row = await this.#find(id)
    // What has arrived is charged already.
    const reserved = Math.max(size, row.reserved)
    // biome-ignore lint/style/noNonNullAssertion: the request holds the lock of the upload.
    await this.#orRemove(id, () => this.#count(row, this.#use.leaseOf(id)!, { size, reserved }))
  }

  /** Changes the counts of an upload, and charges what is reserved in addition. */
  async #count(
    row: ResumableRow,
    { fence }: Lease,
    counts: { reserved: number; received?: number; size?: number },
  ): Promise<void> {
    const payer = { id: row.owner, plan: row.plan, chargeTo: readSubjects(row.charged_to) }
    await this.#use.storedBytes.charge(payer, counts.reserved - row.reserved, 'file', async (transaction, take) => {
      // First, because it locks the row: nobody can remove the upload before the charge is recorded.
      if (!(await countBytes(transaction, row.id, fence, counts))) throw offsetMismatch()
      await take()
    })
    Object.assign(row, counts)
  }

  /** Runs work that continues an upload. One that cannot go on is removed: it does not fit, or bytes of it are lost. */
  async #orRemove<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isLost = error instanceof PartsLost
      if (isLost || (error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED')) await this.#use.remove(id)
      throw isLost ? noSuchUpload() : error
    }
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const lease = this.#use.leaseOf(id)
    // A complete upload takes no more.
    if (!lease) return offset
    // biome-ignore lint/style/noNonNullAssertion: tus calls it within a request.
    const request = partRequest.getStore()!
    // If the body breaks, tus does not wait for it.
    lease.work = this.#orRemove(id, () => this.#append(body, id, lease, request))
    return lease.work as Promise<number>
  }

  async #append(body: Readable, id: string, lease: Lease, { checksum, begin }: PartRequest): Promise<number> {
    const row = await this.#find(id)
    if (!(await this.#use.storage.hasRoom())) throw storageFull()
    const { lost, fence } = lease
    // A client that sends nothing would keep the request otherwise.
    lost.addEventListener('abort', () => body.destroy(lost.reason), { once: true })
    begin()
    try {
      await this.#use.parts.append(checksum ? verified(body, checksum) : body, {
        upload: id,
        start: row.received,
        fence,
        whole: checksum !== undefined,
        signal: lost,
        count: async (end, isComplete) => {
          const received = isComplete || !checksum ? end : row.received
          const reserved = Math.max(end, row.reserved)
          await this.#count(row, lease, { received, reserved })
        },
      })
    } catch (error) {
      // The error is only that of an aborted stream then.
      throw lost.aborted ? lost.reason : error
    }
    return row.received
  }
}
