import type { Conversion } from '../../client/client.ts'
import type { Stage } from '../state/item.ts'
import { saveSettings } from '../state/settings.ts'
import type { Downloads } from './downloads.ts'
import { type Bench, problemOf } from './work.ts'

/** Conversions at the same time. Others wait in this page, where they can still be changed. Guests may have five pending. */
const AT_ONCE = 4

const ACTIVE: readonly Stage[] = ['starting', 'queued', 'processing']

export const toolsId = (from: string, category: string) => `${from} ${category}`

/** Starts conversions and polls them until they end. */
export function createConversions(bench: Bench, downloads: Downloads) {
  const { store, client, change, find } = bench
  let watching = false

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
    for (;;) {
      const { items } = store.get()
      if (items.filter(({ stage }) => ACTIVE.includes(stage)).length >= AT_ONCE) return
      const next = items.find(({ stage }) => stage === 'lined')
      if (!next) return
      void begin(next.key)
    }
  }

  async function begin(key: number): Promise<void> {
    const { upload, to, options, name } = find(key)!
    change(key, { stage: 'starting' })
    const signal = bench.signalFor(key)
    const { fileId, format } = upload!.file
    // The signal must not abort this request: the service might have started the conversion, and its id would be lost.
    const jobIntent = format === to ? 'transform' : 'convert'
    try {
      const id = await client.start({ fileId, toFormat: to!, fileName: name, jobIntent, options })
      // The user cancelled before the answer arrived.
      if (signal.aborted || !find(key)) return void client.remove(id).catch(() => {})
      const createdAt = new Date().toISOString()
      const conversion: Conversion = {
        ...{ id, status: 'queued', progress: 0, fromFormat: format, toFormat: to!, createdAt, error: null },
      }
      change(key, { stage: 'queued', conversion })
      void watch()
    } catch (error) {
      if (!signal.aborted) change(key, { stage: 'failed', problem: problemOf(error) })
      pump()
    }
  }

  /** Returns files of the list and of the history with conversions that have not ended. */
  const pending = () => {
    const { items, history } = store.get()
    const own = items.filter(({ stage }) => stage === 'queued' || stage === 'processing')
    const earlier = history.filter(({ status }) => status === 'queued' || status === 'processing')
    return [...own.map(({ conversion }) => conversion!.id), ...earlier.map(({ id }) => id)]
  }

  /** Polls all of them in one loop, because a browser allows few connections. */
  async function watch(): Promise<void> {
    if (watching) return
    watching = true
    for (;;) {
      const [first, ...others] = pending()
      if (!first) break
      try {
        note(await client.conversion(first, { wait: 1 }))
        if (!others.length) continue
        const listed = await client.conversions({ limit: 200 })
        for (const conversion of listed) if (others.includes(conversion.id)) note(conversion)
      } catch (error) {
        const { code, message } = problemOf(error)
        note({ ...recordOf(first), status: 'failed', error: { code, message } })
      }
    }
    watching = false
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
