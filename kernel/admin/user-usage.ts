import { audited } from '../boot/settings/audit.ts'
import { countPendingOf } from '../database/tables/conversions.ts'
import { resetQuotaUse } from '../database/tables/quota-use.ts'
import type { User } from '../database/tables/users.ts'
import { createQuotas, dayOf } from '../people/quotas.ts'
import { createStoredBytes } from '../people/stored-bytes.ts'
import { printJson, printLine } from '../terminal.ts'
import type { AdminContext } from './open-database.ts'

/** Prints what an account has used of its plan: today (UTC), now waiting and running, and stored. */
export async function userUsage(
  { config, database }: Pick<AdminContext, 'config' | 'database'>,
  user: User,
  { json }: { json: boolean },
): Promise<void> {
  const payer = { chargeTo: [user.id] }
  const { conversionsToday, bytesToday } = await createQuotas({ config, database }).usage(payer)
  const pendingJobs = await countPendingOf(database, user.id)
  const storedBytes = await createStoredBytes({ config, database }).used(payer)
  const plan = config.plans[user.plan]
  const usage = {
    conversionsToday: { used: conversionsToday, limit: plan.conversionsPerDay },
    bytesToday: { used: bytesToday, limit: plan.bytesPerDay },
    pendingJobs: { used: pendingJobs, limit: plan.pendingJobs },
    storedBytes: { used: storedBytes, limit: plan.storedBytes },
  }
  if (json) printJson(JSON.stringify({ email: user.email, plan: user.plan, ...usage }, null, 2))
  else {
    printLine(`${user.email}, plan ${user.plan}`)
    for (const [name, { used, limit }] of Object.entries(usage))
      printLine(`  ${name.padEnd(18)} ${used} of ${limit ?? 'any number'}`)
  }
}

/** Sets the conversions and bytes that an account has used today (UTC) to 0. */
export async function resetUserQuota(
  { config, database, actor }: AdminContext,
  user: User,
  options: { json: boolean },
): Promise<void> {
  const change = { actor, action: 'user.reset-quota', subject: user.email, details: {} }
  const day = dayOf(Date.now())
  await audited(database, change, (transaction) => resetQuotaUse(transaction, { subject: user.id, day }))
  await userUsage({ config, database }, user, options)
}
