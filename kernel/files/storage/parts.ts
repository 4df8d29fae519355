import type { StagedFile } from './storage.ts'

/** A body that continues an upload. */
export interface Append {
  /** Id of the upload: letters, digits and `-`. */
  upload: string
  /** Where the body begins: the bytes of the upload that count. */
  start: number
  /** Rises with each request that writes to the upload. A late request never replaces bytes of a newer one. */
  fence: number
  /** Whether the body counts as a whole or not at all. */
  whole: boolean
  /** Aborts when another request may write to the upload. */
  signal: AbortSignal
  /**
   * Called in order, whenever the bytes before `end` are stored, and again with `isComplete` when the whole body is.
   * @throws ServiceError if they must not count. They are removed then; after other errors, they may count.
   */
  count: (end: number, isComplete: boolean) => Promise<void>
}

/** Bytes of unfinished uploads. Both implementations pass test/files/storage/parts.test.ts. */
export interface Parts {
  /**
   * Stores a body, and what arrived of it if it fails, unless it counts only as a whole.
   * @throws ServiceError STORAGE_FULL; PartsLost; the error of the body, and what `count` throws.
   */
  append(body: AsyncIterable<Buffer>, how: Append): Promise<void>
  /** Stages the file of a complete upload; the parts stay. @throws Error if bytes are missing; ServiceError. */
  join(upload: string, size: number, signal: AbortSignal): Promise<StagedFile>
  /** Removes all parts of an upload. Missing ones are no error. */
  remove(upload: string): Promise<void>
}

/** Bytes that count are missing: somebody removed them, or the machine lost its power before they reached the disk. */
export class PartsLost extends Error {
  constructor() {
    super('the parts of a resumable upload are shorter than recorded')
  }
}
