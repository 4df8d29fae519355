import type { Database } from './database.ts'
import { expireBatchesOf } from './tables/batches.ts'
import { expireConversionsOf } from './tables/conversions.ts'
import { expireFilesOf } from './tables/files.ts'
import { deleteIdempotencyKeysOf } from './tables/idempotency-keys.ts'
import { expireResumableOf } from './tables/resumable-uploads.ts'

/**
 * Makes all uploads, batches and conversions of these owners expire now. The sweeper removes their bytes.
 *
 * @param cancel Ends their pending conversions.
 */
export async function expireOwned(
  database: Database,
  owners: readonly string[],
  cancel: () => Promise<void>,
): Promise<void> {
  await expireResumableOf(database, owners)
  // Before the conversions, so that nothing starts from them any more.
  await expireFilesOf(database, owners)
  await cancel()
  await expireBatchesOf(database, owners)
  await expireConversionsOf(database, owners)
  await deleteIdempotencyKeysOf(database, owners)
}
