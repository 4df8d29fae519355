import type { Config } from '../../config/config.ts'

/** When what has ended now is removed, in epoch milliseconds: guests' things live shorter. */
export function expiryOf(
  { owner }: { owner: string },
  { retention }: Pick<Config, 'retention'>,
  now = Date.now(),
): number {
  return now + (owner.startsWith('guest_') ? retention.guest : retention.account)
}
