import { startBatchBody } from './batch-schemas.ts'
import { COMMON, OF_A_START, type Operation } from './operation.ts'

/** The routes of batches, described. */
export const batchOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path: '/api/conversions/batch', id: 'startBatch', tag: 'Conversions', forTeams: true },
    summary: 'Start one conversion for many files; one that is refused does not stop the others',
    body: startBatchBody,
    success: [{ status: 201, description: 'Some are accepted.', schema: 'BatchStartResponse', headers: ['Location'] }],
    refusals: [...COMMON, 'BATCH_TOO_LARGE', ...OF_A_START],
  },
  {
    ...{ method: 'GET', path: '/api/conversions/batch/:id', id: 'showBatch', tag: 'Conversions' },
    summary: 'Show a batch with its conversions',
    success: [{ status: 200, description: 'The batch.', schema: 'BatchResponse' }],
    refusals: [...COMMON, 'NOT_FOUND'],
  },
]
