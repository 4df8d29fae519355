import { ServiceError } from '../../../errors.ts'
import type { Owner } from '../../../people/owner.ts'
import type { Admission } from '../admission.ts'
import type { Files } from '../files.ts'

/** What became of a resumable upload whose last byte has arrived. */
export type Outcome = { fileId: string } | { refused: { code: ServiceError['code']; message: string } }

/** Returns the uploaded file that an upload became. @throws ServiceError that refused it, NOT_FOUND. */
export async function readOutcome(files: Files, owner: Owner, json: string): Promise<Admission> {
  const outcome: Outcome = JSON.parse(json)
  if ('fileId' in outcome) return files.describe(await files.find(owner, outcome.fileId))
  throw new ServiceError(outcome.refused.code, outcome.refused.message)
}

/** Returns an error as an outcome, if asking again is pointless. Other refusals may pass. */
export const outcomeOf = (error: unknown): Outcome | undefined =>
  error instanceof ServiceError && error.code === 'UNSUPPORTED_FORMAT'
    ? { refused: { code: error.code, message: error.message } }
    : undefined
