import { ServiceError } from '../errors.ts'
import type { UrlRequest } from '../imports/from-url.ts'
import type { Allowance, Source } from '../imports/source.ts'
import type { Kernel } from '../kernel.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { fileRecord } from './files.ts'
import { importUrlBody } from './import-schemas.ts'
import { readJson } from './json-body.ts'
import { untilGone } from './until-gone.ts'
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
 * @throws ServiceError IMPORT_FAILED, FILE_TOO_LARGE, UNSUPPORTED_FORMAT, STORAGE_FULL, and what opening throws.
 */
export async function receiveImport(
  { config, files }: Kernel,
  ctx: Context,
  open: (allowance: Allowance) => Promise<Source>,
): Promise<void> {
  const { owner } = ctx.state
  const deadline = AbortSignal.timeout(config.imports.timeout)
  const signal = AbortSignal.any([deadline, untilGone(ctx)])
  const limit = config.plans[owner.plan].maxFileSize ?? Number.POSITIVE_INFINITY
  try {
    const { name, body } = await open({ limit, signal })
    const staged = await files.stage(body, signal).finally(() => body.destroy())
    const { file, detection, suggestions } = await files.admit(owner, staged, name)
    const record = fileRecord(file)
    ctx.set('Location', record.path)
    sendJson(ctx, JSON.stringify({ file: record, detection, suggestions }), 201)
  } catch (error) {
    if (!deadline.aborted || error instanceof ServiceError) throw error
    const seconds = config.imports.timeout / 1000
    throw new ServiceError('IMPORT_FAILED', `The file was not here within ${seconds} seconds`, { cause: error })
  }
}
