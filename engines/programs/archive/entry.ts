/** One member of an archive, as a reader found it. Not trusted. */
export interface Entry {
  type: 'file' | 'folder' | 'symlink' | 'link' | 'other'
  /** In the character set of the source. */
  name: Buffer
  /** Target of a link. */
  target: Buffer
  /** Bytes that follow in the stream. */
  size: number
  /** Unpacked bytes of a sparse file. In the stream, its data begin with a map of its holes, which are left out. */
  sparse?: number
  mode: number
  /** Seconds since 1970, as a decimal number with an optional fraction. */
  mtime: string
  uid: number
  gid: number
  user: string
  group: string
  /** Whether it has metadata that is lost: access lists, extended attributes. */
  extended: boolean
}

/** An entry with its content, which can be read only once and before the next entry. */
export interface Member {
  entry: Entry
  body: AsyncIterable<Buffer>
}

/** An entry with default values. Callers override those that differ. */
export const plainEntry = (name: string, type: Entry['type'], size: number, mode: number, mtime: string): Entry => ({
  ...{ type, name: Buffer.from(name), target: Buffer.alloc(0), size, mode, mtime },
  ...{ uid: 0, gid: 0, user: '', group: '', extended: false },
})
