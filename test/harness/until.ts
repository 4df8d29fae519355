import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a condition holds. It is checked every 20 ms.
 *
 * @param limit Milliseconds. The default is ten times what a busy machine needs.
 * @throws Error if the condition does not hold within the limit.
 */
export async function until(condition: () => Promise<boolean> | boolean, limit = 120_000): Promise<void> {
  const end = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`The condition did not hold within ${limit / 1000} s`)
    await delay(20)
  }
}
