import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataStore, Locker } from '@tus/utils'
import { ServiceError } from '../../../errors.ts'
import type { Owner } from '../../../people/owner.ts'
import type { Admission } from '../admission.ts'
import type { Files } from '../files.ts'

/** Milliseconds after its creation when an upload expires. */
export const LIFETIME = 24 * 3_600_000

/** The algorithms of checksums. The protocol demands SHA-1. */
export const CHECKSUMS = ['sha256', 'sha1'] as const

/** The extensions of the protocol that every driver speaks. */
export const EXTENSIONS: readonly string[] = [
  'creation',
  'creation-defer-length',
  'termination',
  'expiration',
  'checksum',
]

/** What the store must know of the request that it works for. */
export interface PartRequest {
  owner: Owner
  /** The checksum of the body, in base64. */
  checksum?: { algorithm: (typeof CHECKSUMS)[number]; digest: string } | undefined
  /** Called before the body is read. */
  begin: () => void
}

/** The request of the current call. */
export const partRequest = new AsyncLocalStorage<PartRequest>()

/** What became of a resumable upload whose last byte has arrived. */
export type Outcome = { fileId: string } | { refused: { code: ServiceError['code']; message: string } }

/**
 * Uploads that arrive in parts, and survive a restart. One driver keeps them in the data folder, the other in the
 * database and the storage that several nodes share. Both pass test/http/resumable-suite.ts.
 */
export interface Resumable {
  /** Where their parts are. An id is `<owner>/<name>`. */
  store: DataStore
  /** Lets one request at a time work on an upload. */
  locks: Locker
  /** Returns the id of an owner's upload. @throws ServiceError NOT_FOUND, also for another owner's upload. */
  idOf(owner: Owner, name: string): Promise<string>
  /**
   * Makes an uploaded file of a complete upload, or returns what it became.
   * @throws ServiceError NOT_FOUND if it is not complete; UNSUPPORTED_FORMAT, QUOTA_EXCEEDED, STORAGE_FULL; NOT_READY
   * if another node makes the file and does not end soon.
   */
  finish(owner: Owner, id: string): Promise<Admission>
  /** Removes the parts of all uploads of these owners. Files that they became stay. */
  removeAll(owners: readonly string[]): Promise<void>
  /** Removes at most `limit` expired uploads. Resolves to the number removed. */
  sweep(now: number, limit: number): Promise<number>
}

/** Returns the ids that an upload of this owner can have. None: the name is not one of the service. */
export const idsOf = ({ id, guest }: Owner, name: string): string[] =>
  /^[0-9a-f-]{36}$/.test(name) ? [id, ...(guest ? [guest] : [])].map((owner) => `${owner}/${name}`) : []

/** Returns the uploaded file that an upload became. @throws ServiceError that refused it, NOT_FOUND. */
export async function readOutcome(files: Files, owner: Owner, outcome: Outcome): Promise<Admission> {
  if ('fileId' in outcome) return files.describe(await files.find(owner, outcome.fileId))
  throw new ServiceError(outcome.refused.code, outcome.refused.message)
}

/** The name that the client gave the file, if it gave one. */
export const nameIn = (metadata: Record<string, string | null> | undefined): string =>
  metadata?.filename ?? metadata?.name ?? ''

/** The outcome that an error is, if asking again is pointless. Other refusals may pass. */
export const finalOutcomeOf = (error: unknown): Outcome | undefined =>
  error instanceof ServiceError && error.code === 'UNSUPPORTED_FORMAT'
    ? { refused: { code: error.code, message: error.message } }
    : undefined
