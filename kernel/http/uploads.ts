import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { type Handler, sendJson } from './context.ts'
import { fileRecord } from './files.ts'
import { receiveFile } from './upload-form.ts'

/** POST /api/uploads */
export function receiveUpload({ config, files }: Kernel): Handler {
  return async (ctx) => {
    if (!/^multipart\/form-data\s*;/i.test(ctx.req.headers['content-type'] ?? '')) {
      throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type must be multipart/form-data with a boundary')
    }
    const { owner } = ctx.state
    const { name, staged } = await receiveFile(
      ctx,
      files,
      owner,
      config.plans[owner.plan].maxFileSize ?? Number.POSITIVE_INFINITY,
    )
    const { file, detection, suggestions } = await files.admit(owner, staged, name)
    const record = fileRecord(file)
    ctx.set('Location', record.path)
    sendJson(ctx, JSON.stringify({ file: record, detection, suggestions }), 201)
  }
}
