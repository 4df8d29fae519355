import type { Kernel } from '../../boot/kernel.ts'
import type { Admission } from '../../files/uploads/admission.ts'
import type { Allowance, RemoteFile } from '../../imports/source.ts'
import type { Owner } from '../../people/owner.ts'
import type { Context } from '../context.ts'
import { withinTime } from './deadline.ts'

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
    return files.admit(owner, staged, name, signal)
  })
}
