import type { UrlRequest } from '../imports/from-url.ts'
import type { Allowance, RemoteFile } from '../imports/source.ts'
import type { Kernel } from '../kernel.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { withinTime } from './deadline.ts'
import { fileRecord } from './files.ts'
import { importUrlBody } from './import-schemas.ts'
import { readJson } from './json-body.ts'
import { createCheck } from './validation.ts'

/** POST /api/import/url */
export function importUrl(kernel: Kernel): Handler {
  const check = createCheck<UrlRequest>(importUrlBody, 'The body')
  return async (ctx) => {
    const request = check(await readJson(ctx))
    await receiveImport(kernel, ctx, (allowance) => kernel.imports.openUrl(request, allowance))
  }
}

/**
 * Stores what is opened, as an upload, and answers as one. It ends after the configured time, and when the client goes
 * away; nothing stays behind then.
 *
 * @throws ServiceError IMPORT_FAILED, FILE_TOO_LARGE, QUOTA_EXCEEDED, UNSUPPORTED_FORMAT, STORAGE_FULL, and what opening throws.
 */
export async function receiveImport(
  { config, files }: Kernel,
  ctx: Context,
  open: (allowance: Allowance) => Promise<RemoteFile>,
): Promise<void> {
  const { owner } = ctx.state
  const limit = config.plans[owner.plan].maxFileSize ?? Number.POSITIVE_INFINITY
  await withinTime(config, ctx, async (signal) => {
    const arrival = await files.expect(owner, 0)
    const { name, body } = await open({ limit, signal }).catch((error: unknown) => {
      arrival.end()
      throw error
    })
    const staged = await files.stage(arrival, body, signal).finally(() => body.destroy())
    const { file, detection, suggestions } = await files.admit(owner, staged, name)
    const record = fileRecord(file)
    ctx.set('Location', record.path)
    sendJson(ctx, JSON.stringify({ file: record, detection, suggestions }), 201)
  })
}
