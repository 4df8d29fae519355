import type { FileRow } from '../../database/tables/files.ts'

/** An upload as its owner sees it. */
export type StoredFile = Omit<FileRow, 'created_at' | 'expires_at' | 'charged_to'> & {
  /** Epoch milliseconds. */
  createdAt: number
}

export const fromRow = ({ created_at, expires_at: _, charged_to: __, ...file }: FileRow): StoredFile => ({
  ...file,
  createdAt: created_at,
})
