import { dirname } from 'node:path'
import type { Storage } from '../../kernel/files/storage/storage.ts'

/** Whether a storage has a file with this key. */
export async function isStored(storage: Storage, key: string): Promise<boolean> {
  const files = await storage.list(`${dirname(key)}/`)
  return files.some((file) => file.key === key)
}
