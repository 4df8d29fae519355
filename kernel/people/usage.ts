import type { Owner } from './owner.ts'
import type { Quotas } from './quotas.ts'
import type { StoredBytes } from './stored-bytes.ts'

/**
 * An owner's use of the plan: conversions and bytes of today (UTC), and current pending conversions and stored bytes.
 */
export type PlanUsage = (
  owner: Owner,
) => Promise<{ conversionsToday: number; bytesToday: number; pendingJobs: number; storedBytes: number }>

/** Reads how much owners have used. @param countPending Counts an owner's queued and processing conversions. */
export function createUsage(
  quotas: Quotas,
  storedBytes: StoredBytes,
  countPending: (owner: Owner) => Promise<number>,
): PlanUsage {
  return async (owner) => ({
    ...(await quotas.usage(owner)),
    pendingJobs: await countPending(owner),
    storedBytes: await storedBytes.used(owner),
  })
}
