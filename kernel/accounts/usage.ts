import type { Owner } from './owner.ts'
import type { Quotas } from './quotas.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** What an owner has used of the plan: conversions and bytes of today (UTC), and what is pending and stored now. */
export type PlanUsage = (
  owner: Owner,
) => Promise<{ conversionsToday: number; bytesToday: number; pendingJobs: number; storedBytes: number }>

/** Reads what owners have used. @param countPending Conversions of an owner that are queued or processing. */
export function createUsage({
  quotas,
  storedBytes,
  countPending,
}: {
  quotas: Quotas
  storedBytes: StoredBytes
  countPending: (owner: Owner) => Promise<number>
}): PlanUsage {
  return async (owner) => ({
    ...(await quotas.usage(owner)),
    pendingJobs: await countPending(owner),
    storedBytes: await storedBytes.used(owner),
  })
}
