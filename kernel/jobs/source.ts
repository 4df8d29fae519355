import type { Database } from '../database/database.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { findFile } from '../database/tables/files.ts'
import { ConversionFailure } from '../errors.ts'
import type { CheckedOut, Storage } from '../files/storage/storage.ts'

/** Why a conversion is cancelled whose source was removed before it could be read. */
export const SOURCE_REMOVED = 'The source file was removed or has expired'

/**
 * Checks out the source of a conversion. Its owner may have removed it since an earlier attempt, which had already read
 * it.
 *
 * @throws ConversionFailure CANCELLED if it was removed.
 */
export async function checkOutSource(
  database: Database,
  storage: Storage,
  { source_key: key, source_size: size, source_sha256: sha256 }: ConversionRow,
  signal: AbortSignal,
): Promise<CheckedOut> {
  try {
    return await storage.checkOut(key, { size: Number(size), sha256 }, signal)
  } catch (error) {
    const file = await findFile(database, key)
    // Its bytes go before its record, which has expired then.
    if (!file || file.expires_at <= Date.now()) throw new ConversionFailure('CANCELLED', SOURCE_REMOVED)
    throw error
  }
}
