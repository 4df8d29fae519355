import { changeOf, type Item, isArriving, isOpen, isUnderWay } from '../state/item.ts'
import type { WorkContext } from './context.ts'

/** Milliseconds in which files that were taken off the list can be put back. */
const UNDO_MS = 10_000

interface Moves {
  /** Takes files off the list and stops their uploads. */
  takeOut(keys: readonly number[]): Item[]
  /** Shows a conversion in the history. */
  keep(conversion: NonNullable<Item['conversion']>): void
  fetchUrl(key: number, url: string): void
  /** Continues uploads and starts. */
  pump(): void
}

/** Takes files off the list. Results stay in the history, and what runs runs on. For ten seconds, it can be undone. */
export function createClearing({ store, client }: WorkContext, { takeOut, keep, fetchUrl, pump }: Moves) {
  return {
    clear(keys: readonly number[]): void {
      const before = store.get().items
      const gone = takeOut(keys)
      for (const { conversion } of gone) if (conversion) keep(conversion)
      const notice = { text: gone.length > 1 ? 'bar.cleared' : 'bar.removed', undo: before }
      store.dispatch({ type: 'notice', notice })
      setTimeout(() => {
        if (store.get().notice === notice) store.dispatch({ type: 'notice', notice: undefined })
        const listed = new Set(store.get().items.map(({ key }) => key))
        for (const { key, upload, conversion, reused } of gone) {
          // From the history, a source can be converted again.
          if (upload && !conversion && !reused && !listed.has(key))
            void client.removeFile(upload.file.fileId).catch(() => {})
        }
      }, UNDO_MS)
    },

    /** Undoes the last change to several files. */
    undo(): void {
      const { items, notice } = store.get()
      const now = new Map(items.map((item) => [item.key, item]))
      const before = notice?.undo ?? []
      const restored = before.map((old) => {
        const item = now.get(old.key)
        if (!item) return revived(old)
        if (!isOpen(item)) return item
        const { to: _, ...rest } = item
        const { to, options } = old
        return { ...rest, ...(to && { to }), options }
      })
      const since = items.filter(({ key }) => !before.some((old) => old.key === key))
      store.dispatch({ type: 'replaced', items: [...restored, ...since] })
      for (const { key, url, upload } of restored) if (url && !upload && !now.has(key)) fetchUrl(key, url)
      pump()
    },
  }

  /** A file as it is put back: its upload starts again, and its conversion may have ended. */
  function revived(item: Item): Item {
    if (isArriving(item)) return { ...item, stage: 'waiting', sent: 0 }
    if (!item.conversion) return isUnderWay(item) ? { ...item, stage: 'ready' } : item
    const { id } = item.conversion
    return { ...item, ...changeOf(store.get().history.find((one) => one.id === id) ?? item.conversion) }
  }
}
