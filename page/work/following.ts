import type { Conversion } from '../../client/client.ts'
import { changeOf } from '../state/item.ts'
import { problemOf, type WorkContext } from './context.ts'

/** Milliseconds between two looks at the records besides the events, and until a stream that failed is tried again. */
const RECHECK = 20_000
const RETRY_MS = 60_000

const isPending = (status: string) => status === 'queued' || status === 'processing'

/** A record; of a failure that the page itself has found, only what it knows. */
type News = Pick<Conversion, 'id' | 'status' | 'error'> & Partial<Conversion>

/**
 * Follows conversions until they end, by events as long as these come through.
 *
 * @param onEnd Called after a file of the list was converted, or failed.
 */
export function createFollowing({ store, client, change }: WorkContext, onEnd: () => void) {
  let watching = false
  let listens = true
  // Records that were told before the page knew the ids of their conversions.
  const told = new Map<string, Conversion>()

  /** Returns the ids of conversions of the list and of the history that have not ended. */
  const pending = () => {
    const { items, history } = store.get()
    const stages = new Map(items.map(({ conversion, stage }) => [conversion?.id, stage as string]))
    // A conversion can be in both. The list then knows more.
    for (const { id, status } of history) if (!stages.has(id)) stages.set(id, status)
    return [...stages].flatMap(([id, stage]) => (id && isPending(stage) ? id : []))
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
        if (!note(data)) told.set(data.id, data)
        leaveIfDone()
      }
    } catch {
      listens = false
      setTimeout(() => (listens = true), RETRY_MS)
    } finally {
      clearInterval(timer)
    }
  }

  /** Reads the records of all of them. @param wait Seconds to wait for the end of the first. */
  async function look(wait: number): Promise<void> {
    const [first, ...others] = pending()
    if (!first) return
    note(
      await client
        .conversion(first, { wait })
        .catch((error): News => ({ id: first, status: 'failed', error: problemOf(error) })),
    )
    if (!others.length) return
    const batch = store.get().items.find(({ conversion }) => conversion?.id === others[0])?.batch
    const listed = batch
      ? client.batch(batch).then(({ conversions }) => conversions)
      : client.conversions({ limit: 200 })
    // If this fails, the next look asks again.
    for (const conversion of await listed.catch(() => [])) note(conversion)
  }

  /**
   * Updates a file from the record of its conversion. Returns false if it is not pending: an answer may be older than
   * an event.
   */
  function note(news: News): boolean {
    if (!pending().includes(news.id)) return false
    const { items, history } = store.get()
    const item = items.find(({ conversion }) => conversion?.id === news.id)
    const conversions = history.map((one) => (one.id === news.id ? { ...one, ...news } : one))
    store.dispatch({ type: 'history', conversions })
    if (!item) return true
    // What the page itself has found is a failure, of which the list needs no more.
    change(item.key, changeOf(news as Conversion))
    if (!isPending(news.status)) onEnd()
    return true
  }

  return {
    watch,
    /** Notes what was told about a conversion before the page knew its id. */
    recall(id: string): void {
      if (told.has(id)) note(told.get(id)!)
    },
  }
}
