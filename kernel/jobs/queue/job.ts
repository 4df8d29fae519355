import type { Config } from '../../../config/config.ts'
import type { ConversionRow } from '../../database/tables/conversions.ts'
import { ServiceError } from '../../errors.ts'

/** A conversion as the scheduler sees it. */
export interface ScheduledJob {
  id: string
  /** Its lane: who shares limits with it. Wider lanes can lie around it (database/lanes.ts). */
  lane: string
  /** The owner of its record, who sees its place in the queue. */
  owner: string
  /** The batch of the record. */
  batch: string | null
  /** Whether the job also waits in the heavy lanes. */
  heavy: boolean
  /** Maximum heavy jobs that the owner's plan runs at the same time in the lane; null: no limit. */
  heavyConcurrency: number | null
  /** Milliseconds of wall time. */
  timeout: number
  /**
   * Whether the service stopped while the job ran. Only one suspect job runs at a time. If the service stops again,
   * only that job is blamed a second time, not the other suspects. Default: false.
   */
  suspect?: boolean
}

/** Builds the scheduler's job from a recorded conversion. */
export function scheduled(
  row: Pick<ConversionRow, 'id' | 'owner' | 'plan' | 'heavy' | 'lane' | 'attempts' | 'batch'>,
  config: Pick<Config, 'plans' | 'timeouts'>,
): ScheduledJob {
  const heavy = Boolean(row.heavy)
  return {
    id: row.id,
    lane: row.lane,
    owner: row.owner,
    batch: row.batch,
    heavy,
    heavyConcurrency: config.plans[row.plan].heavyConcurrency,
    timeout: config.timeouts[heavy ? 'heavy' : 'light'],
    suspect: row.attempts > 0,
  }
}

/**
 * Runs a job. Must end soon after the signal aborts, and must never reject.
 *
 * @param requeueAsHeavy Called with the same job as a heavy one, if it turned out to be one and its record waits again.
 */
export type Runner = (
  job: ScheduledJob,
  signal: AbortSignal,
  requeueAsHeavy: (job: ScheduledJob) => void,
) => Promise<void>

/** The abort reason when the service stops and returns a job to the queue. */
export class HandBack extends Error {
  override name = 'HandBack'
}

export const shuttingDown = () =>
  new ServiceError('SHUTTING_DOWN', 'The service is restarting; try again soon', { retryAfter: 5 })
