import type { Code } from '../errors.ts'
import { startBatchBody } from './batch-schemas.ts'
import type { Operation } from './operations.ts'

/**
 * The routes of batches, described.
 * @param common Refusals that every path under /api knows. @param ofAStart Those of a conversion that is to start.
 */
export const batchOperations = (common: readonly Code[], ofAStart: readonly Code[]): Operation[] => [
  {
    ...{ method: 'POST', path: '/api/conversions/batch', id: 'startBatch', tag: 'Conversions' },
    summary: 'Start one conversion for many files; one that is refused does not stop the others',
    body: startBatchBody,
    success: [{ status: 201, description: 'Some are accepted.', schema: 'BatchStartResponse', headers: ['Location'] }],
    refusals: [...common, 'BATCH_TOO_LARGE', ...ofAStart],
  },
  {
    ...{ method: 'GET', path: '/api/conversions/batch/:id', id: 'showBatch', tag: 'Conversions' },
    summary: 'Show a batch with its conversions',
    success: [{ status: 200, description: 'The batch.', schema: 'BatchResponse' }],
    refusals: [...common, 'NOT_FOUND'],
  },
]
