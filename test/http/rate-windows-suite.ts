import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { RateStore } from '../../kernel/http/rates/store.ts'
import { createWindow, type RateVerdict } from '../../kernel/http/rates/window.ts'

/** Checks how a store counts. Clients must see the same with each of them. @param store Is empty. */
export async function countsRequests(t: Test, store: RateStore): Promise<void> {
  await t.test('each request takes one of the limit, then they are refused', async (t) => {
    const window = createWindow(store, 'limit', 3, 60_000)
    const verdicts: RateVerdict[] = []
    for (let n = 0; n < 5; n++) verdicts.push(await window('client'))
    t.strictSame(
      verdicts.map(({ allowed, limit, remaining, duration }) => [allowed, limit, remaining, duration]),
      [2, 1, 0, 0, 0].map((left, n) => [n < 3, 3, left, 60_000]),
    )
    for (const { reset } of verdicts) t.ok(reset <= 60 && reset > 0, `${reset} s are left`)
  })

  await t.test('clients and windows are counted apart', async (t) => {
    const [one, two] = ['one', 'two'].map((name) => createWindow(store, name, 1, 60_000))
    t.match(await one!('client'), { allowed: true, remaining: 0 })
    t.match(await one!('client'), { allowed: false })
    t.match(await one!('another'), { allowed: true, remaining: 0 })
    t.match(await two!('client'), { allowed: true, remaining: 0 })
  })

  await t.test('of requests at the same time, exactly as many are allowed', async (t) => {
    const window = createWindow(store, 'parallel', 20, 60_000)
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => window('client')))
    const left = verdicts.flatMap(({ allowed, remaining }) => (allowed ? remaining : []))
    t.strictSame(
      left.sort((a, b) => b - a),
      Array.from({ length: 20 }, (_, n) => 19 - n),
    )
  })

  await t.test('a window ends at its time, and a client that waits as long as it is told is not refused', async (t) => {
    const window = createWindow(store, 'told', 1, 1000)
    await window('client')
    let refused = await window('client')
    // On a machine that is too busy for two requests within the window.
    while (refused.allowed) refused = await window('client')
    await delay(refused.reset * 1000 + 5)
    t.match(await window('client'), { allowed: true, remaining: 0 }, `after ${refused.reset} s`)
  })
}
