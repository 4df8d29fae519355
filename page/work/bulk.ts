import { canStart, type Item, isOpen, withOptions, withTarget } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import type { WorkContext } from './context.ts'
import type { Conversions } from './conversions.ts'

/** Actions on several files at once. */
export function createBulk({ store }: WorkContext, { start, remember }: Conversions) {
  return {
    startAll(): void {
      const { items } = store.get()
      start(items.filter(canStart).map(({ key }) => key))
    },

    /** Sets the target of every open file that can have it. @param say Returns the message about the outcome. */
    setAll(to: string, say: (changed: number, skipped: readonly Item[]) => string): void {
      const { items, formats } = store.get()
      const fits = (item: Item) => isOpen(item) && canBecome(formats, item, to)
      const changed = items.map((item) => (fits(item) ? withTarget(item, to, formats) : item))
      const skipped = items.filter((item) => isOpen(item) && !fits(item))
      const text = say(items.filter(fits).length, skipped)
      store.dispatch({ type: 'replaced', items: changed, notice: { text, undo: items } })
      remember(changed.filter(fits))
    },

    /** Copies the options of one file to all open files with the same target. */
    applyOptions(from: Item, say: (changed: number) => string): void {
      const { items } = store.get()
      const fits = (item: Item) => isOpen(item) && item.to === from.to && item.key !== from.key
      const changed = items.map((item) => (fits(item) ? withOptions(item, from.options) : item))
      const text = say(items.filter(fits).length)
      store.dispatch({ type: 'replaced', items: changed, notice: { text, undo: items } })
    },

    /** Undoes the last change to several files. */
    undo(): void {
      const { items, notice } = store.get()
      const before = new Map(notice?.undo?.map((item) => [item.key, item]))
      const restored = items.map((item) => {
        const { to, options } = before.get(item.key) ?? item
        return isOpen(item) ? { ...item, ...(to && { to }), options } : item
      })
      store.dispatch({ type: 'replaced', items: restored })
    },
  }
}

const canBecome = (formats: State['formats'], { upload }: Item, to: string) =>
  formats.get(upload!.file.format)?.targets.includes(to) ?? false

/** Most suggestions for several files. */
const MOST = 5

/** Returns targets that at least one open file can have, and suggestions: what most of them would be suggested. */
export function commonTargets({ items, formats }: Pick<State, 'items' | 'formats'>) {
  const open = items.filter(isOpen)
  const sources = new Set(open.map(({ upload }) => upload!.file.format))
  const votes = new Map<string, number>()
  for (const { upload } of open) for (const to of upload!.suggestions) votes.set(to, (votes.get(to) ?? 0) + 1)
  return {
    targets: [...new Set([...sources].flatMap((source) => formats.get(source)?.targets ?? []))],
    suggestions: [...votes.keys()].sort((a, b) => votes.get(b)! - votes.get(a)!).slice(0, MOST),
  }
}
