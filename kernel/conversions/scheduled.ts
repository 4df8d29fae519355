import type { Config } from '../../config/config.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import type { ScheduledJob } from '../queue/job.ts'

/** Builds the scheduler's job from a recorded conversion. */
export function scheduled(
  row: Pick<ConversionRow, 'id' | 'owner' | 'plan' | 'heavy' | 'lane' | 'attempts' | 'batch'>,
  config: Pick<Config, 'plans' | 'timeouts'>,
): ScheduledJob {
  const heavy = Boolean(row.heavy)
  return {
    id: row.id,
    owner: row.lane ?? row.owner,
    shownTo: row.owner,
    batch: row.batch,
    heavy,
    heavyConcurrency: config.plans[row.plan].heavyConcurrency,
    timeout: config.timeouts[heavy ? 'heavy' : 'light'],
    suspect: row.attempts > 0,
  }
}
