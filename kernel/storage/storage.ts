import type { Readable } from 'node:stream'

/** A file that has come in and has no name yet. */
export interface StagedFile {
  /** Path on this machine, for a look inside. */
  path: string
  /** Bytes. */
  size: number
  discard(): Promise<void>
}

/** A stored file on this machine. Disposing of it gives it back: its path means nothing from then on. */
export interface CheckedOut extends AsyncDisposable {
  /** A plain file that a sandbox can link to. It is read, never changed. */
  readonly path: string
}

/** Where uploads and outputs live, by key (`uploads/2026/11/21/<id>/<name>.png`). Keys are made by the service. */
export interface Storage {
  /**
   * Streams in. Nothing stays after an abort or an error. @param arrived Told of bytes before they are written; its
   * rejection ends the work. @throws ServiceError STORAGE_FULL, and what `arrived` rejects with.
   */
  stage(source: Readable, signal: AbortSignal, arrived: (bytes: number) => Promise<void>): Promise<StagedFile>
  /** Gives a staged file its key. */
  keep(staged: StagedFile, key: string): Promise<void>
  /** Moves a result out of a sandbox; a file of that key is replaced. @throws ServiceError STORAGE_FULL. */
  publish(path: string, key: string): Promise<void>
  /**
   * Brings a stored file to this machine, to be read there until it is given back by disposing of it. Rejects where it
   * cannot be brought.
   */
  checkOut(key: string): Promise<CheckedOut>
  /**
   * Streams exactly these bytes; `end` is inclusive. The stream fails where the file has fewer, since an answer that
   * announced them can only be broken off.
   */
  open(key: string, range: { start: number; end: number }): Readable
  exists(key: string): Promise<boolean>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Free bytes. */
  free(): Promise<number>
  /** Whether more may be taken in. */
  hasRoom(): Promise<boolean>
}
