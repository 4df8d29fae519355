/** One member of an archive, as a reader found it. Not trusted. */
export interface Entry {
  type: 'file' | 'folder' | 'symlink' | 'link' | 'other'
  /** In the character set of the source. */
  name: Buffer
  /** Target of a link. */
  target: Buffer
  /** Bytes of the content. */
  size: number
  mode: number
  /** Seconds since 1970. */
  mtime: number
  uid: number
  gid: number
  user: string
  group: string
}

/** The owner of entries whose source names none. */
export const NO_OWNER = { uid: 0, gid: 0, user: '', group: '' }

/** An entry with its content, which can be read only once and before the next entry. */
export interface Member {
  entry: Entry
  body: AsyncIterable<Buffer>
}

/** An entry that is safe to unpack anywhere, with name and target in UTF-8. */
export interface SafeEntry extends Omit<Entry, 'name' | 'target'> {
  name: string
  target: string
}

/** A safe entry with its content. Links and folders have none. */
export interface SafeMember {
  entry: SafeEntry
  body?: AsyncIterable<Buffer>
}
