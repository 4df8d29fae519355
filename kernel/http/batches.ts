import type { BatchRequest } from '../conversions/batches.ts'
import type { Kernel } from '../kernel.ts'
import { startBatchBody } from './batch-schemas.ts'
import { type Handler, sendJson } from './context.ts'
import { conversionRecord } from './conversions.ts'
import { errorBody, forClients } from './failure.ts'
import { readJson } from './json-body.ts'
import { actingOwner } from './teams.ts'
import { createCheck } from './validation.ts'

/** POST /api/conversions/batch */
export function startBatch(kernel: Kernel): Handler {
  const { batches, log } = kernel
  const check = createCheck<BatchRequest>(startBatchBody, 'The body')
  return async (ctx) => {
    const owner = await actingOwner(kernel, ctx)
    const { batchId, conversions } = await batches.start(owner, check(await readJson(ctx)))
    ctx.set('Location', `/api/conversions/batch/${batchId}`)
    const items = conversions.map((item) => {
      if (!('error' in item)) return item
      const { fileId, fileName, error } = item
      return { fileId, fileName, ...JSON.parse(errorBody(forClients(error, log))) }
    })
    sendJson(ctx, JSON.stringify({ batchId, conversions: items }), 201)
  }
}

/** GET /api/conversions/batch/:id */
export function showBatch(kernel: Kernel): Handler {
  return async (ctx) => {
    const { conversions, createdAt, ...batch } = await kernel.batches.get(ctx.state.owner, ctx.params.id!)
    const records = await Promise.all(
      conversions.map((conversion) => conversionRecord(kernel, ctx, conversion, 'outputKey')),
    )
    const record = { ...batch, createdAt: new Date(createdAt).toISOString(), conversions: records }
    sendJson(ctx, JSON.stringify({ batch: record }))
  }
}
