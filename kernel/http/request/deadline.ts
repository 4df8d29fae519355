import type { Config } from '../../../config/config.ts'
import { ServiceError } from '../../errors.ts'
import { untilGone } from '../connection/until-gone.ts'
import type { Context } from '../context.ts'

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
