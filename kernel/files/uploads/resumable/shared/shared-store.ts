import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/utils'
import type { Database } from '../../../../database/database.ts'
import type { PieceRow } from '../../../../database/tables/resumable-pieces.ts'
import {
  countReserved,
  findResumable,
  insertResumable,
  listUnfinished,
  type ResumableRow,
} from '../../../../database/tables/resumable-uploads.ts'
import { ServiceError, storageFull } from '../../../../errors.ts'
import type { Payer } from '../../../../people/owner.ts'
import type { StoredBytes } from '../../../../people/stored-bytes.ts'
import type { Storage } from '../../../storage/storage.ts'
import { checksumMismatch, emptyFile, noSuchUpload, offsetMismatch, requireFew } from '../refusals.ts'
import { EXTENSIONS, LIFETIME, type PartRequest, partRequest } from '../resumable.ts'
import { cut } from './cut.ts'
import type { Lease } from './leases.ts'
import { PIECE, type Pieces } from './pieces.ts'
import type { Held } from './shared-locks.ts'

interface Ground {
  database: Database
  storage: Storage
  storedBytes: StoredBytes
  pieces: Pieces
  /** The lease of the request that works on an upload. */
  heldOf: (id: string) => Held | undefined
  /** Removes an upload. */
  remove: (id: string) => Promise<void>
}

/** The store of tus for several nodes: states are rows of the database, bytes are objects in the storage. */
export class SharedStore extends DataStore {
  readonly #ground: Ground

  constructor(ground: Ground) {
    super()
    this.extensions = [...EXTENSIONS]
    this.#ground = ground
  }

  override getExpiration(): number {
    return LIFETIME
  }

  override async create(upload: Upload): Promise<Upload> {
    const { database, storage, storedBytes } = this.#ground
    const { owner } = partRequest.getStore()!
    const { id, size = null, metadata, creation_date } = upload
    if (size === 0) throw emptyFile()
    // Those that begin at the same time may be a few more.
    requireFew(await listUnfinished(database, owner.id, Date.now()))
    if (!(await storage.hasRoom())) throw storageFull()
    if (size === null) await storedBytes.requireRoom(owner)
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
      expires_at: created_at + LIFETIME,
    }
    // The whole size counts from now on, or many unfinished uploads would fill the storage.
    await storedBytes.charge(owner, row.reserved, 'file', async (transaction, take) => {
      await insertResumable(transaction, row)
      await take()
    })
    return upload
  }

  async #find(id: string): Promise<ResumableRow> {
    const row = await findResumable(this.#ground.database, id)
    if (!row || row.expires_at < Date.now()) throw noSuchUpload()
    return row
  }

  /** Runs work that charges bytes. An upload that does not fit is removed, as by the driver of the data folder. */
  async #charging<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED') await this.#ground.remove(id)
      throw error
    }
  }

  /**
   * Notes the length of an upload that began without one.
   * @throws ServiceError BAD_REQUEST, NOT_FOUND, QUOTA_EXCEEDED.
   */
  override async declareUploadLength(id: string, size: number): Promise<void> {
    if (size === 0) throw emptyFile()
    const row = await this.#find(id)
    const { fence } = this.#ground.heldOf(id)!
    // What has arrived is charged already.
    const more = Math.max(0, size - row.reserved)
    await this.#charging(id, () =>
      this.#ground.storedBytes.charge(payerOf(row), more, 'file', async (transaction, take) => {
        if (!(await countReserved(transaction, id, fence, { bytes: more, size }))) throw offsetMismatch()
        await take()
      }),
    )
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, received, metadata, created_at, outcome } = await this.#find(id)
    return new Upload({
      id,
      offset: outcome ? size! : received,
      creation_date: new Date(created_at).toISOString(),
      ...(size !== null && { size }),
      ...(metadata && { metadata: JSON.parse(metadata) }),
    } as Upload)
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id)
    await this.#ground.remove(id)
  }

  /** Stores what arrives, in pieces. Each counts as soon as it is stored; with a checksum, all count at the end. */
  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const held = this.#ground.heldOf(id)
    // A complete upload takes no more.
    if (!held) return offset
    const work = this.#charging(id, () => this.#receive(body, id, offset, held, partRequest.getStore()!))
    // If the body breaks, tus does not wait for it.
    held.work = work
    return work
  }

  async #receive(body: Readable, id: string, offset: number, lease: Lease, request: PartRequest): Promise<number> {
    const { storage, pieces } = this.#ground
    const row = await this.#find(id)
    if (!(await storage.hasRoom())) throw storageFull()
    const { checksum, begin } = request
    const payer = row.size === null ? payerOf(row) : undefined
    const hash = checksum && createHash(checksum.algorithm)
    const unchecked: PieceRow[] = []
    const streams = cut(body, PIECE)
    let end = offset
    let storing: Promise<void> = Promise.resolve()
    // A client that sends nothing would keep the request otherwise.
    lease.lost.addEventListener('abort', () => body.destroy(lease.lost.reason), { once: true })
    begin()
    try {
      for (let stream = await streams.next(); stream; stream = await streams.next()) {
        const arrived = async () => {}
        const staged = await storage.stage(stream, lease.lost, arrived, (chunk) => void hash?.update(chunk))
        // One piece is on its way while the next one arrives.
        await storing.catch((error) => staged.discard().then(() => Promise.reject(error)))
        const start = end
        end += staged.size
        storing = pieces.put(staged, { upload: id, start }, lease, payer).then(async (piece) => {
          if (checksum) unchecked.push(piece)
          else await pieces.count([piece], lease)
        })
        storing.catch(() => {})
      }
      await storing
      if (streams.failure()) throw streams.failure()
      if (hash && hash.digest('base64') !== checksum?.digest) throw checksumMismatch()
    } catch (error) {
      await storing.catch(() => {})
      await pieces.drop(unchecked.map(({ key }) => key))
      // The error is only that of an aborted stream then.
      throw lease.lost.aborted ? lease.lost.reason : error
    }
    await pieces.count(unchecked, lease)
    if (end > offset) await pieces.join(id, lease).catch(() => {})
    return end
  }
}

const payerOf = ({ owner, plan, charged_to }: ResumableRow): Payer => ({
  id: owner,
  plan: plan as Payer['plan'],
  chargeTo: charged_to.split(' '),
})
