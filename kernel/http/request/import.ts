import type { Config } from '../../../config/config.ts'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import type { Admission } from '../../files/uploads/admission.ts'
import type { Allowance, RemoteFile } from '../../imports/source.ts'
import type { Owner } from '../../people/owner.ts'
import { untilGone } from '../connection/client-gone.ts'
import type { Context } from '../context.ts'
import { admitOnce } from './admit-once.ts'
import type { Once } from './idempotency-key.ts'

/**
 * Does work with another server. Aborts it when the time of imports is over, and when the client goes away.
 *
 * @throws ServiceError IMPORT_FAILED after that time; and what the work throws.
 */
export async function withinTime<T>(
  { imports }: Pick<Config, 'imports'>,
  ctx: Context,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(imports.timeout)
  try {
    return await work(AbortSignal.any([deadline, untilGone(ctx)]))
  } catch (error) {
    if (!deadline.aborted || error instanceof ServiceError) throw error
    const seconds = imports.timeout / 1000
    throw new ServiceError('IMPORT_FAILED', `The other server did not finish within ${seconds} seconds`, {
      cause: error,
    })
  }
}

/**
 * Stores what `open` gives as an upload. Ends after the configured time, and when the client goes away; then nothing
 * stays behind.
 *
 * @throws ServiceError IMPORT_FAILED, FILE_TOO_LARGE, QUOTA_EXCEEDED, UNSUPPORTED_FORMAT, STORAGE_FULL; and what `open`
 * throws.
 */
export function receiveImport(
  { config, files }: Kernel,
  ctx: Context,
  owner: Owner,
  once: Once,
  open: (allowance: Allowance) => Promise<RemoteFile>,
): Promise<Admission> {
  const limit = config.plans[owner.plan].maxFileSize ?? Number.POSITIVE_INFINITY
  return withinTime(config, ctx, async (signal) => {
    const arrival = await files.expect(owner, 0)
    const { name, body } = await open({ limit, signal }).catch((error: unknown) => {
      arrival.end()
      throw error
    })
    const staged = await files.stage(arrival, body, signal).finally(() => body.destroy())
    return admitOnce(files, owner, { staged, name, once, signal })
  })
}
