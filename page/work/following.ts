import type { Conversion } from '../../client/client.ts'
import { type Bench, problemOf } from './work.ts'

/** Milliseconds between two looks at the records besides the events, and until a stream that failed is tried again. */
const [RECHECK, AGAIN] = [20_000, 60_000]

/**
 * Follows conversions until they end, by events as long as these come through.
 *
 * @param onEnd Called after a file of the list was converted, or failed.
 */
export function createFollowing({ store, client, change }: Bench, onEnd: () => void) {
  let [watching, listens] = [false, true]
  // Records that were told before the page knew the ids of their conversions.
  const told = new Map<string, Conversion>()

  /** Returns files of the list and of the history with conversions that have not ended. */
  const pending = () => {
    const { items, history } = store.get()
    const isPending = (state: string) => state === 'queued' || state === 'processing'
    const own = items.filter(({ stage }) => isPending(stage)).map(({ conversion }) => conversion!.id)
    return [...own, ...history.filter(({ status }) => isPending(status)).map(({ id }) => id)]
  }

  /** Follows all of them by one stream of events, else by one loop of polls: a browser allows few connections. */
  async function watch(): Promise<void> {
    if (watching) return
    watching = true
    while (pending().length) {
      if (listens) await listen()
      else await look(1)
    }
    watching = false
    told.clear()
  }

  async function listen(): Promise<void> {
    const leaving = new AbortController()
    // What was missed, such as the expiry of a conversion, is found a little later.
    const timer = setInterval(() => void look(0).then(leaveIfDone), RECHECK)
    const leaveIfDone = () => pending().length || leaving.abort()
    try {
      for await (const { event, data } of client.events({ signal: leaving.signal })) {
        if (event !== 'conversion') continue
        if (pending().includes(data.id)) note(data)
        else told.set(data.id, data)
        leaveIfDone()
      }
    } catch {
      listens = false
      setTimeout(() => (listens = true), AGAIN)
    } finally {
      clearInterval(timer)
    }
  }

  /** Reads the records of all of them. @param wait Seconds to wait for the end of the first. */
  async function look(wait: number): Promise<void> {
    const [first, ...others] = pending()
    if (!first) return
    try {
      note(await client.conversion(first, { wait }))
      if (!others.length) return
      const batch = store.get().items.find(({ conversion }) => conversion?.id === others[0])?.batch
      const listed = batch ? (await client.batch(batch)).conversions : await client.conversions({ limit: 200 })
      for (const conversion of listed) if (others.includes(conversion.id)) note(conversion)
    } catch (error) {
      note({ ...recordOf(first), status: 'failed', error: problemOf(error) })
    }
  }

  const recordOf = (id: string): Conversion => {
    const { items, history } = store.get()
    return items.find(({ conversion }) => conversion?.id === id)?.conversion ?? history.find((one) => one.id === id)!
  }

  /** Updates a file from the record of its conversion. */
  function note(conversion: Conversion): void {
    const { items, history } = store.get()
    const item = items.find((one) => one.conversion?.id === conversion.id)
    if (!item) {
      const changed = history.map((one) => (one.id === conversion.id ? conversion : one))
      store.dispatch({ type: 'history', conversions: changed })
      return
    }
    const { status, error } = conversion
    if (status === 'completed') {
      change(item.key, { stage: 'done', conversion })
    } else if (status === 'failed') {
      change(item.key, { stage: 'failed', conversion: undefined, problem: { ...error! } })
    } else change(item.key, { stage: status, conversion })
    if (status === 'completed' || status === 'failed') onEnd()
  }

  return {
    watch,
    /** Notes what was told about a conversion before the page knew its id. */
    recall(id: string): void {
      if (told.has(id)) note(told.get(id)!)
    },
  }
}
