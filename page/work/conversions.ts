import type { BatchFile, Conversion } from '../../client/client.ts'
import type { Facts } from '../state/facts.ts'
import { type Item, type Stage, withTarget } from '../state/item.ts'
import { saveSettings } from '../state/settings.ts'
import { problemOf, type WorkContext } from './context.ts'
import { createFollowing } from './following.ts'
import type { Loading } from './loading.ts'
import { batchFileOf, startRequestOf } from './requests.ts'

/**
 * Conversions at the same time, if the service limits them. Others wait in this page, where they can still be changed.
 * Guests may have five pending.
 */
const AT_ONCE = 4

/** Files in one batch if the service sets no limit: about 150 kB of JSON. */
const MAX = 500

const ACTIVE: readonly Stage[] = ['starting', 'queued', 'processing']

/** Chooses targets and starts conversions. */
export function createConversions(context: WorkContext, facts: Facts, { firstOptions }: Pick<Loading, 'firstOptions'>) {
  const { store, client, change, find } = context
  const { watch, recall } = createFollowing(context, pump)

  async function setTarget(key: number, to: string): Promise<void> {
    const source = find(key)?.upload?.file.format
    if (!source) return
    const options = await firstOptions(source, to)
    const item = find(key)
    if (!item?.upload || item.to === to) return
    const changed = withTarget(item, to, options, store.get().formats)
    change(key, changed)
    remember([changed])
    if (item.armed) start([key])
  }

  /** Remembers the targets of files for other files of the same formats. */
  function remember(items: readonly Item[]): void {
    const chosen = Object.fromEntries(items.map(({ upload, to }) => [upload!.file.format, to!]))
    store.dispatch({ type: 'settings', change: { targets: { ...store.get().settings.targets, ...chosen } } })
    saveSettings(store.get().settings)
  }

  function start(keys: readonly number[]): void {
    for (const key of keys) {
      const item = find(key)
      if (!item?.upload || !item.to || ACTIVE.includes(item.stage)) continue
      change(key, { stage: 'lined', problem: undefined, conversion: undefined, failedId: undefined, armed: false })
    }
    pump()
  }

  function pump(): void {
    const most = Math.min(facts.filesPerBatch ?? MAX, MAX)
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
    const begun = items.map(({ key, to }) => ({ key, to: to!, signal: context.signalFor(key) }))
    for (const { key } of begun) change(key, { stage: 'starting' })
    const requests = items.map(batchFileOf)
    const [first] = requests
    try {
      // The signals must not abort this request: the service might have started conversions, and their ids would be
      // lost.
      const { batchId, conversions } =
        // Only a batch knows the folder of a file, which the ZIP keeps.
        requests.length > 1 || first!.path
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
      id,
      status: 'queued',
      progress: 0,
      fromFormat,
      toFormat: to,
      error: null,
      name: fileName,
      sourceSize: fileSize,
      createdAt: new Date().toISOString(),
    }
    change(key, { stage: 'queued', conversion, batch })
    recall(id)
  }

  return { setTarget, remember, start, pump, watch }
}

export type Conversions = ReturnType<typeof createConversions>
