/** One member of an archive, as a reader saw it: not to be trusted. */
export interface Entry {
  type: 'file' | 'folder' | 'symlink' | 'link' | 'other'
  /** In the source's own character set. */
  name: Buffer
  /** What a link leads to. */
  target: Buffer
  /** Bytes that follow in the stream. */
  size: number
  /** Bytes that it unpacks to, when the stream has its holes left out: the data begin with a map of them. */
  sparse?: number
  mode: number
  /** Seconds since 1970 as a decimal number, perhaps with a fraction. */
  mtime: string
  uid: number
  gid: number
  user: string
  group: string
  /** Whether it has more about it than is kept: access lists, extended attributes. */
  extended: boolean
}

/** An entry with its bytes, which come only once and before the next entry. */
export interface Member {
  entry: Entry
  body: AsyncIterable<Buffer>
}

/** A plain entry with the name, to be changed where it differs. */
export const plainEntry = (name: string, type: Entry['type'], size: number, mode: number, mtime: string): Entry => ({
  ...{ type, name: Buffer.from(name), target: Buffer.alloc(0), size, mode, mtime },
  ...{ uid: 0, gid: 0, user: '', group: '', extended: false },
})
