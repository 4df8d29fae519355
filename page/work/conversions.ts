import type { BatchFile, Conversion } from '../../client/client.ts'
import type { Facts } from '../state/facts.ts'
import type { Item, Stage } from '../state/item.ts'
import { saveSettings } from '../state/settings.ts'
import type { Downloads } from './downloads.ts'
import { batchFileOf, startRequestOf } from './requests.ts'
import { type Bench, problemOf } from './work.ts'

/**
 * Conversions at the same time, if the service limits them. Others wait in this page, where they can still be changed. Guests
 * may have five pending.
 */
const AT_ONCE = 4

/** Files in one batch if the service sets no limit: about 150 kB of JSON. */
const MOST = 500

/** Milliseconds between two looks at the records besides the events, and until a stream that failed is tried again. */
const [RECHECK, AGAIN] = [20_000, 60_000]

const ACTIVE: readonly Stage[] = ['starting', 'queued', 'processing']

export const toolsId = (from: string, category: string) => `${from} ${category}`

/** Starts conversions and follows them until they end, by events as long as these come through. */
export function createConversions(bench: Bench, facts: Facts, downloads: Downloads) {
  const { store, client, change, find } = bench
  let [watching, listens] = [false, true]
  // Records that were told before the page knew the ids of their conversions.
  const told = new Map<string, Conversion>()

  function setTarget(key: number, to: string): void {
    const item = find(key)
    if (!item?.upload || item.to === to) return
    const { formats, settings } = store.get()
    const kind = (name?: string) => name && formats.get(name)?.category
    // The service refuses options of another category.
    change(key, { to, problem: undefined, ...(kind(item.to) !== kind(to) && { options: {} }) })
    const targets = { ...settings.targets, [item.upload.file.format]: to }
    store.dispatch({ type: 'settings', change: { targets } })
    saveSettings(store.get().settings)
  }

  function start(keys: readonly number[]): void {
    for (const key of keys) {
      const item = find(key)
      if (!item?.upload || !item.to || ACTIVE.includes(item.stage)) continue
      change(key, { stage: 'lined', problem: undefined, conversion: undefined })
    }
    pump()
  }

  function pump(): void {
    const most = Math.min(facts.filesPerBatch ?? MOST, MOST)
    for (;;) {
      const { items } = store.get()
      const active = items.filter(({ stage }) => ACTIVE.includes(stage)).length
      const free = facts.pendingJobs === null ? most : AT_ONCE - active
      const next = items.filter(({ stage }) => stage === 'lined').slice(0, Math.max(0, Math.min(free, most)))
      if (!next.length) return
      void begin(next)
    }
  }

  /** Starts several files as one batch, so that their results come as one ZIP. */
  async function begin(items: readonly Item[]): Promise<void> {
    const begun = items.map(({ key, to }) => ({ key, to: to!, signal: bench.signalFor(key) }))
    for (const { key } of begun) change(key, { stage: 'starting' })
    const requests = items.map(batchFileOf)
    const [first] = requests
    try {
      // The signals must not abort this request: the service might have started conversions, and their ids would be lost.
      const { batchId, conversions } =
        requests.length > 1
          ? await client.startBatch(requests)
          : { batchId: undefined, conversions: [{ conversionId: await client.start(startRequestOf(first!)) }] }
      for (const [at, outcome] of conversions.entries()) takeUp(begun[at]!, requests[at]!, outcome, batchId)
      void watch()
    } catch (error) {
      for (const { key, signal } of begun) {
        if (!signal.aborted) change(key, { stage: 'failed', problem: problemOf(error) })
      }
      pump()
    }
  }

  /** Records what the service answered for one file. */
  function takeUp(
    { key, to, signal }: { key: number; to: string; signal: AbortSignal },
    { fileName, fileSize, fromFormat }: BatchFile,
    outcome: { conversionId: string } | { error: { code: string; message: string } },
    batch: string | undefined,
  ): void {
    const isGone = signal.aborted || !find(key)
    if ('error' in outcome) {
      if (!isGone) change(key, { stage: 'failed', problem: outcome.error })
      return
    }
    const id = outcome.conversionId
    // The user cancelled before the answer arrived.
    if (isGone) return void client.remove(id).catch(() => {})
    const conversion: Conversion = {
      ...{ id, status: 'queued', progress: 0, fromFormat, toFormat: to, error: null },
      ...{ name: fileName, sourceSize: fileSize, createdAt: new Date().toISOString() },
    }
    change(key, { stage: 'queued', conversion, batch })
    if (told.has(id)) note(told.get(id)!)
  }

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
      downloads.ended(item.key)
    } else if (status === 'failed') {
      change(item.key, { stage: 'failed', conversion: undefined, problem: { ...error! } })
    } else change(item.key, { stage: status, conversion })
    if (status === 'completed' || status === 'failed') pump()
  }

  return {
    ...{ setTarget, start, pump, watch },
    /** Loads, only once, the options of a format's targets in one category. */
    async loadTools(from: string, category: string): Promise<void> {
      const id = toolsId(from, category)
      if (store.get().tools.has(id)) return
      store.dispatch({ type: 'tools', id, tools: await client.tools({ category, from }) })
    },
  }
}

export type Conversions = ReturnType<typeof createConversions>
