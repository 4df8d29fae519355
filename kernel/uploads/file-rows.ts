import type { Change } from '../database/transact.ts'

/** An upload as its owner sees it. */
export interface StoredFile {
  /** Storage key, the client's `fileId`. */
  key: string
  owner: string
  name: string
  mime: string
  /** Bytes. */
  size: number
  format: string
  category: string
  /** Epoch milliseconds. */
  createdAt: number
}

/** What its row of the table `files` says besides. */
export interface FileRow extends Omit<StoredFile, 'createdAt'> {
  created_at: number
  expires_at: number
  /** What its bytes were charged to, with spaces between. */
  charged_to: string | null
}

export function fromRow({ created_at, expires_at: _, charged_to: __, ...row }: FileRow): StoredFile {
  return { ...row, createdAt: created_at }
}

/** Records an upload. `key` is a word of SQL: columns are quoted, as SQLite and MySQL both understand it. */
export function insertion(
  { createdAt, ...file }: StoredFile,
  more: Pick<FileRow, 'expires_at' | 'charged_to'>,
): Change {
  const row: FileRow = { ...file, created_at: createdAt, ...more }
  const columns = Object.keys(row).map((name) => `\`${name}\``)
  return {
    sql: `insert into files (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    values: Object.values(row),
  }
}
