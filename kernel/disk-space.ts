import { statfs } from 'node:fs/promises'

/** Resolves to the free bytes of a folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
