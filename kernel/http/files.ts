import type { Kernel } from '../kernel.ts'
import type { StoredFile } from '../uploads/file-rows.ts'
import { type Handler, sendJson } from './context.ts'

/** An uploaded file, as the interface shows it. */
export const fileRecord = (file: StoredFile) => ({
  fileId: file.key,
  originalName: file.name,
  mimeType: file.mime,
  size: file.size,
  format: file.format,
  category: file.category,
  path: `/api/files/${encodeURIComponent(file.key)}`,
})

/** GET /api/files/:id */
export function showFile({ files }: Kernel): Handler {
  return async (ctx) => {
    sendJson(ctx, JSON.stringify({ file: fileRecord(await files.find(ctx.state.owner, ctx.params.id!)) }))
  }
}

/** DELETE /api/files/:id */
export function removeFile({ files }: Kernel): Handler {
  return async (ctx) => {
    await files.remove(ctx.state.owner, ctx.params.id!)
    ctx.status = 204
  }
}
