import { startBatchBody } from './batch-schemas.ts'
import { COMMON, OF_A_START, type Operation } from './operation.ts'

/** The routes of batches, described. */
export const batchOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path: '/api/conversions/batch', id: 'startBatch', tag: 'Conversions', forTeams: true },
    summary: 'Start one conversion for many files; one that is refused does not stop the others',
    description:
      "Every file becomes a conversion of its own. If no file is accepted, the answer is the first file's error.",
    body: startBatchBody,
    success: [{ status: 201, description: 'Some are accepted.', schema: 'BatchStartResponse', headers: ['Location'] }],
    refusals: [...COMMON, 'BATCH_TOO_LARGE', ...OF_A_START],
  },
  {
    ...{ method: 'GET', path: '/api/conversions/batch/:id', id: 'getBatch', tag: 'Conversions' },
    summary: 'Show a batch with its conversions',
    description: 'A batch is `completed` when none of its conversions is pending. Each conversion has its own status.',
    success: [{ status: 200, description: 'The batch.', schema: 'BatchResponse' }],
    refusals: [...COMMON, 'NOT_FOUND'],
  },
]
