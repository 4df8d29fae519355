import { findConversion, findConversionByOutput } from '../database/tables/conversions.ts'
import { isKey } from '../files/storage/keys.ts'
import type { JobNeeds } from './needs.ts'

/** A file that can be downloaded: an output or an upload. */
export interface Downloadable {
  owner: string
  key: string
  mime: string
  /** File name with its extension. */
  name: string
  /** Bytes. */
  size: number
  /** Epoch milliseconds. */
  modified: number
}

/** Returns a lookup that finds an output by conversion id or key, or an upload by key. It does not check the owner. */
export function createDownloads({ database, files }: JobNeeds) {
  return async function downloadable(idOrKey: string): Promise<Downloadable | undefined> {
    if (!isKey(idOrKey)) return undefined
    const find = idOrKey.startsWith('conv_') ? findConversion : findConversionByOutput
    const row = await find(database, idOrKey)
    if (row?.status === 'completed' && row.output_key && (row.expires_at ?? 0) > Date.now()) {
      return {
        owner: row.owner,
        key: row.output_key,
        mime: row.output_mime ?? 'application/octet-stream',
        name: `${row.name}.${row.output_extension}`,
        size: Number(row.output_size),
        modified: Number(row.completed_at),
      }
    }
    const file = await files.lookUp(idOrKey)
    return file && { ...file, modified: file.createdAt }
  }
}
