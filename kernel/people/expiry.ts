import type { Config } from '../../config/config.ts'

/**
 * Returns when something that ends now is removed, in epoch milliseconds. Guests' things are kept for a shorter time.
 */
export function expiryOf(
  { owner }: { owner: string },
  { retention }: Pick<Config, 'retention'>,
  now = Date.now(),
): number {
  return now + (owner.startsWith('guest_') ? retention.guest : retention.account)
}
