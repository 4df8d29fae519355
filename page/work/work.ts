import { AthanorError, createClient } from '../../client/client.ts'
import type { Facts } from '../state/facts.ts'
import { canRetry, type Item, isUnderWay, withOptions } from '../state/item.ts'
import { problemKey } from '../state/problem-key.ts'
import { guestFingerprint, loadSession } from '../state/settings.ts'
import type { Store } from '../state/store.ts'
import { createAccounts } from './accounts.ts'
import { createArchives } from './archives.ts'
import { createBulk } from './bulk.ts'
import { createClearing } from './clearing.ts'
import { problemOf, type WorkContext } from './context.ts'
import { createConversions } from './conversions.ts'
import { createDownloads } from './downloads.ts'
import { createHistory } from './history.ts'
import { createLoading } from './loading.ts'
import { createUnstarted } from './unstarted.ts'
import { createUploads } from './uploads.ts'
import { createUsage } from './usage.ts'

/** How long requests may wait for a rate limit, in milliseconds: longer than the longest window. */
const WAIT_TIMEOUT_MS = 2 * 3_600_000

/** Milliseconds after which all files are no longer deleted: the user may be away, or have new ones. */
const SOON = 20_000

/** All actions of the user, without any rendering. */
export function createWork(store: Store, facts: Facts) {
  let guest: string | undefined
  const running = new Map<number, AbortController>()
  // An empty header would break proxies that check it.
  const headers = (): Record<string, string> => {
    const session = loadSession()
    guest ??= guestFingerprint()
    return { 'x-guest-fingerprint': guest, ...(session && { authorization: `Bearer ${session}` }) }
  }
  const client = createClient({
    url: new URL('.', document.baseURI),
    headers,
    patience: WAIT_TIMEOUT_MS,
    onWait: (seconds) => store.dispatch({ type: 'paused', until: seconds ? Date.now() + seconds * 1000 : 0 }),
    onReach: (online) => store.dispatch({ type: 'online', online }),
  })
  const context: WorkContext = {
    store,
    client,
    problemOf,
    change: (key, change) => store.dispatch({ type: 'changed', key, change }),
    find: (key) => store.get().items.find((item) => item.key === key),
    signalFor(key) {
      const controller = new AbortController()
      running.set(key, controller)
      return controller.signal
    },
  }
  const downloads = createDownloads(context)
  const loading = createLoading(context)
  const conversions = createConversions(context, facts, loading)
  const uploads = createUploads(context, facts, conversions, loading)
  const history = createHistory(context, conversions, uploads.put)

  const usage = createUsage(context, facts)

  /** Removes files from the list, and returns them. */
  function takeOut(keys: readonly number[]): Item[] {
    const gone = store.get().items.filter(({ key }) => keys.includes(key))
    store.dispatch({ type: 'removed', keys })
    for (const { key } of gone) {
      running.get(key)?.abort()
      running.delete(key)
    }
    uploads.pump()
    conversions.pump()
    return gone
  }

  /** Removes files from the list and from the service. */
  function remove(keys: readonly number[]): void {
    for (const { upload, conversion } of takeOut(keys)) {
      // The first request cancels a running conversion, the second one deletes it.
      if (conversion) void client.remove(conversion.id).catch(() => {})
      if (upload) void client.removeFile(upload.file.fileId).catch(() => {})
    }
  }

  const clearing = createClearing(context, {
    takeOut,
    keep: history.keep,
    fetchUrl: uploads.fetchUrl,
    pump() {
      uploads.pump()
      conversions.pump()
      void conversions.watch()
    },
  })

  /** Cancels a conversion, which can be started again. An upload leaves the list. */
  function cancel(key: number): void {
    const item = context.find(key)
    if (!item) return
    if (!isUnderWay(item)) {
      clearing.clear([key])
      return
    }
    abandon(item)
    conversions.pump()
  }

  function abandon({ key, conversion }: Item): void {
    running.get(key)?.abort()
    context.change(key, { stage: 'ready', conversion: undefined })
    if (conversion) void client.remove(conversion.id).catch(() => {})
  }

  function retry(key: number): void {
    const item = context.find(key)
    if (!item) return
    if (item.upload) conversions.start([key])
    else if (item.url) uploads.fetchUrl(key, item.url)
    else {
      context.change(key, { stage: 'waiting', problem: undefined, sent: 0 })
      uploads.pump()
    }
  }

  return {
    add: uploads.add,
    addUrl: uploads.addUrl,
    ...usage,
    ...createAccounts(context, facts, () => {
      void history.load().catch(() => {})
      void usage.loadUsage()
    }),
    ...createArchives(context, facts, { ...uploads, remove }),
    start: conversions.start,
    ...createBulk(context, conversions, loading),
    ...clearing,
    restore: createUnstarted(context, uploads.put).restore,
    ...downloads,
    loadHistory: history.load,
    forget: history.forget,
    reuse: history.reuse,
    /** Deletes all files of the user, also those of earlier visits. @throws AthanorError. */
    async removeAll(): Promise<void> {
      const { items } = store.get()
      // Not later, when the user may have given other files.
      const late = new AbortController()
      const failure = new AthanorError('The service did not answer in time', { code: 'NETWORK', status: 0 })
      const timer = setTimeout(() => late.abort(failure), SOON)
      await client.removeAll({ signal: late.signal }).finally(() => clearTimeout(timer))
      // Some may have arrived meanwhile.
      remove(items.filter(({ upload }) => !upload).map(({ key }) => key))
      takeOut(items.map(({ key }) => key))
      store.dispatch({ type: 'history', conversions: [] })
      store.dispatch({ type: 'replaced', items: store.get().items, notice: { text: 'history.emptied' } })
    },
    setTarget: conversions.setTarget,
    setOptions(key: number, options: Item['options']): void {
      const item = context.find(key)
      if (item) context.change(key, withOptions(item, options))
    },
    client,
    problemOf,
    // As of `problemOf`: for modules that are loaded later.
    problemKey,
    ...loading,

    cancel,

    /** Cancels all conversions. Uploads go on, and are not started. */
    stop(): void {
      for (const item of store.get().items) {
        if (item.armed) context.change(item.key, { armed: false })
        // The places that become free are not for those that still wait.
        if (isUnderWay(item)) abandon(item)
      }
    },

    /** Lets the user choose another target for a converted file. The result moves to the history. */
    again(key: number) {
      const item = context.find(key)
      if (item?.stage !== 'done') return
      history.keep(item.conversion!)
      context.change(key, { stage: 'ready', conversion: undefined, problem: undefined, reused: true })
    },

    /** Retries the step that failed. */
    retry,
    /** Retries every file that failed and that another try may help. */
    retryAll(): void {
      const failed = store.get().items.filter(canRetry)
      conversions.start(failed.flatMap(({ key, upload }) => (upload ? [key] : [])))
      for (const { key, upload } of failed) if (!upload) retry(key)
    },
  }
}

export type Work = ReturnType<typeof createWork>
