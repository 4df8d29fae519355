import type { Facts } from '../state/facts.ts'
import type { WorkContext } from './context.ts'

/** Milliseconds after the last end of a conversion. */
const QUIET = 1000

/** Learns how many conversions of today's limit are used: at first, and when conversions have ended. */
export function createUsage({ store, client }: WorkContext, facts: Facts) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: AbortController | undefined

  /** Reads the first event of the service's stream. Guests cannot ask for their usage otherwise. */
  async function load(): Promise<void> {
    if (facts.conversionsPerDay === null && facts.bytesPerDay === null) return
    current?.abort()
    const { signal } = (current = new AbortController())
    try {
      for await (const { event, data } of client.events({ signal })) {
        if (event !== 'usage') continue
        store.dispatch({ type: 'usage', usage: data })
        break
      }
    } catch {
      // Without it, the page only does not show what is left.
    }
  }

  let ended = 0
  store.subscribe(() => {
    const now = store.get().items.filter(({ stage }) => stage === 'done' || stage === 'failed').length
    if (now > ended) {
      clearTimeout(timer)
      timer = setTimeout(() => void load(), QUIET)
    }
    ended = now
  })
  return { loadUsage: load }
}
