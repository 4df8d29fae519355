import type { Readable } from 'node:stream'

/** What the record of a file says about its bytes. A check-out compares it. */
export interface Recorded {
  /** Bytes. */
  size: number
  /** SHA-256 in hexadecimal. Null: not known, and not compared. */
  sha256?: string | null | undefined
}

/** A received file that has no key yet. */
export interface StagedFile {
  /** Local path, for detection. */
  path: string
  /** Bytes. */
  size: number
  /** SHA-256 in hexadecimal, for the record. Undefined: this storage is a disk of this machine and needs none. */
  sha256?: string | undefined
  discard(): Promise<void>
}

/** A stored file on this machine. Disposing of it releases it; its path is invalid afterwards. */
export interface CheckedOut extends AsyncDisposable {
  /** A plain file that a sandbox can link to. It must not be changed. */
  readonly path: string
}

/**
 * Stores uploads and outputs by key (`uploads/2026/11/21/<id>/<name>.png`). The service makes the keys, and uses none
 * twice. Every driver passes test/files/storage.
 *
 * Waits for a server are bounded. If it still does not answer after some attempts, calls reject with ServiceError
 * NOT_READY.
 */
export interface Storage {
  /**
   * Streams a file in. Removes it after an abort or an error. @param arrived Receives the number of bytes before each
   * write; its rejection ends the stream. @throws ServiceError STORAGE_FULL, and what `arrived` rejects with.
   */
  stage(source: Readable, signal: AbortSignal, arrived: (bytes: number) => Promise<void>): Promise<StagedFile>
  /** Stages a file of this machine, by a link: the file itself stays. It must not be changed any more. */
  adopt(path: string): Promise<StagedFile>
  /** Moves a staged file to its key. After an error, there is nothing at the key, and the file is still staged. */
  keep(staged: StagedFile, key: string, signal?: AbortSignal): Promise<void>
  /**
   * Moves a result out of a sandbox. Replaces any file with that key. After an error or an abort, there is nothing new
   * at the key. @throws ServiceError STORAGE_FULL.
   */
  publish(path: string, key: string, signal?: AbortSignal): Promise<void>
  /**
   * Makes a stored file readable on this machine until the result is disposed of. Rejects if the file cannot be
   * fetched, or differs from its record. An abort ends this call only: other calls may wait for the same file.
   * @throws ServiceError STORAGE_FULL if this machine has no room for it.
   */
  checkOut(key: string, recorded: Recorded, signal?: AbortSignal): Promise<CheckedOut>
  /**
   * Streams exactly these bytes; `end` is inclusive. If the file has fewer, the stream fails, because the response has
   * already announced the length. For a missing file it fails with the code ENOENT.
   */
  open(key: string, range: { start: number; end: number }): Readable
  /** Lists the files whose keys begin with a prefix that ends with `/`, in any order. Sizes are in bytes. */
  list(prefix: string): Promise<{ key: string; size: number }[]>
  /** Removes a file. A missing file is no error. */
  remove(key: string): Promise<void>
  /** Whether the storage accepts new files. @throws ServiceError NOT_READY if it cannot be reached. */
  hasRoom(): Promise<boolean>
  /** Whether it did not answer when it was last asked. Asks nothing. */
  isAway(): boolean
  /**
   * Removes what stopped nodes left unfinished, if it is old enough. It may look less often than it is called.
   * Resolves to the number removed, `limit` at most.
   */
  sweep(now: number, limit: number): Promise<number>
  /**
   * Returns a link through which anybody can download a file for 60 seconds from another server, as
   * `application/octet-stream`. Undefined: the storage has no such links, or the operator does not want them.
   * @param disposition The Content-Disposition of the answer.
   */
  linkTo?: ((key: string, disposition: string) => Promise<string>) | undefined
  /** Closes connections. */
  close(): Promise<void>
}

/** Bytes per read. Each slow client holds twice as many in memory. */
export const READ = 256 * 1024
