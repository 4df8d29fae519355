import type { Readable } from 'node:stream'

/** A received file that has no key yet. */
export interface StagedFile {
  /** Local path, for detection. */
  path: string
  /** Bytes. */
  size: number
  discard(): Promise<void>
}

/** A stored file on this machine. Disposing of it releases it; its path is invalid afterwards. */
export interface CheckedOut extends AsyncDisposable {
  /** A plain file that a sandbox can link to. It must not be changed. */
  readonly path: string
}

/** Stores uploads and outputs by key (`uploads/2026/11/21/<id>/<name>.png`). The service makes the keys. */
export interface Storage {
  /**
   * Streams a file in. Removes it after an abort or an error. @param arrived Receives the number of bytes before each
   * write; its rejection ends the stream. @throws ServiceError STORAGE_FULL, and what `arrived` rejects with.
   */
  stage(source: Readable, signal: AbortSignal, arrived: (bytes: number) => Promise<void>): Promise<StagedFile>
  /** Stages a file of this machine, by a link: the file itself stays. It must not be changed any more. */
  adopt(path: string): Promise<StagedFile>
  /** Moves a staged file to its key. */
  keep(staged: StagedFile, key: string): Promise<void>
  /** Moves a result out of a sandbox. Replaces any file with that key. @throws ServiceError STORAGE_FULL. */
  publish(path: string, key: string): Promise<void>
  /**
   * Makes a stored file readable on this machine until the result is disposed of. Rejects if the file cannot be
   * fetched.
   */
  checkOut(key: string): Promise<CheckedOut>
  /**
   * Streams exactly these bytes; `end` is inclusive. If the file has fewer, the stream fails, because the response has
   * already announced the length.
   */
  open(key: string, range: { start: number; end: number }): Readable
  exists(key: string): Promise<boolean>
  /** Removes a file. A missing file is no error. */
  remove(key: string): Promise<void>
  /** Resolves to the free bytes. */
  free(): Promise<number>
  /** Whether the storage accepts new files. */
  hasRoom(): Promise<boolean>
}
