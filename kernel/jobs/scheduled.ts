import type { Config } from '../../config/config.ts'
import type { Plugin, Weighed } from '../contract.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { callHook } from '../hooks.ts'
import type { ScheduledJob } from './queue/job.ts'

/** Whether a job waits in the heavy lane from the beginning. @throws HookFault if `heavy` of the plugin fails. */
export const isHeavy = ({ category: plugin, heavy }: Plugin, job: Weighed): boolean =>
  Boolean(callHook({ plugin, hook: 'heavy' }, () => heavy?.(job)))

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
