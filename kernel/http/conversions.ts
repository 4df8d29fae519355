import type { Conversion } from '../conversions/records.ts'
import type { StartRequest } from '../conversions/start.ts'
import type { Status } from '../database/tables/conversions.ts'
import type { Kernel } from '../kernel.ts'
import { baseUrl } from './base-url.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { readJson } from './json-body.ts'
import { createQueryReader } from './query.ts'
import { listConversionsQuery, PAGE, showConversionQuery, startConversionBody } from './schemas.ts'
import { actingOwner } from './teams.ts'
import { untilGone } from './until-gone.ts'
import { createCheck } from './validation.ts'

/** POST /api/conversions */
export function startConversion(kernel: Kernel): Handler {
  const { conversions } = kernel
  const check = createCheck<StartRequest>(startConversionBody, 'The body')
  return async (ctx) => {
    const owner = await actingOwner(kernel, ctx)
    const started = await conversions.start(owner, check(await readJson(ctx)))
    ctx.set('Location', `/api/conversions/${started.conversionId}`)
    sendJson(ctx, JSON.stringify(started), 201)
  }
}

/** GET /api/conversions/:id, with `wait` after its end or the given time. */
export function showConversion(kernel: Kernel): Handler {
  const { conversions } = kernel
  const readQuery = createQueryReader<{ wait: number }>(showConversionQuery)
  return async (ctx) => {
    const { wait } = readQuery(ctx)
    const { owner } = ctx.state
    const conversion = wait
      ? await conversions.wait(owner, ctx.params.id!, wait, untilGone(ctx))
      : await conversions.get(owner, ctx.params.id!)
    sendJson(ctx, JSON.stringify({ conversion: await conversionRecord(kernel, ctx, conversion) }))
  }
}

/** GET /api/conversions */
export function listConversions(kernel: Kernel): Handler {
  const readQuery = createQueryReader<{ status: Status; limit: number; cursor: string }>(listConversionsQuery)
  return async (ctx) => {
    const query = { limit: PAGE, ...readQuery(ctx) }
    const { conversions, nextCursor } = await kernel.conversions.list(await actingOwner(kernel, ctx), query)
    const records = await Promise.all(conversions.map((conversion) => conversionRecord(kernel, ctx, conversion)))
    sendJson(ctx, JSON.stringify({ conversions: records, nextCursor }))
  }
}

/** DELETE /api/conversions/:id */
export function removeConversion({ conversions }: Kernel): Handler {
  return async (ctx) => {
    await conversions.remove(ctx.state.owner, ctx.params.id!)
    ctx.status = 204
  }
}

/**
 * A conversion, as the interface shows it: fields without a value are left out, but for `error`.
 * @param by What `outputUrl` names: the conversion, or the storage key of its output.
 */
export async function conversionRecord(
  { config, tokens }: Kernel,
  ctx: Context,
  conversion: Conversion,
  by: 'id' | 'outputKey' = 'id',
) {
  const { outputKey, completedAt, owner, ...record } = conversion
  return {
    ...record,
    outputFileId: outputKey,
    outputUrl:
      outputKey &&
      `${baseUrl(config, ctx)}/api/files/${encodeURIComponent(by === 'id' ? record.id : outputKey)}/download?token=${await tokens.sign(owner, outputKey)}`,
    createdAt: new Date(record.createdAt).toISOString(),
    completedAt: completedAt === undefined ? undefined : new Date(completedAt).toISOString(),
    error: record.error ?? null,
  }
}
