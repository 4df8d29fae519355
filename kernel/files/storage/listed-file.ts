/** A stored file, as its storage knows it. */
export interface ListedFile {
  key: string
  /** Bytes. */
  size: number
  /** When it was stored: milliseconds since 1970, by the clock of the storage. */
  storedAt: number
}

/** All files of a storage, for an operator's command beside running services. */
export interface Listing extends Disposable {
  /** Lists them, at most 1,000 at a time. Files that other programs stored there are left out. */
  pages(): AsyncIterable<ListedFile[]>
  /** Removes a file. A missing one is no error. */
  remove(key: string): Promise<void>
}
