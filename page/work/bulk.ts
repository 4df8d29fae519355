import { canStart, type Item, isArriving, isOpen, withOptions, withTarget } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { askedTargets, formatOf, SAME, wantedTargets } from '../state/wanted.ts'
import type { WorkContext } from './context.ts'
import type { Conversions } from './conversions.ts'
import type { Loading } from './loading.ts'

/** Actions on several files at once. */
export function createBulk(
  { store, change }: WorkContext,
  { start, remember }: Conversions,
  { firstOptions }: Pick<Loading, 'firstOptions'>,
) {
  return {
    /** Starts every file, also those that are still being uploaded: as soon as they have arrived. */
    startAll(): void {
      const { items } = store.get()
      for (const { key } of items.filter(isArriving)) change(key, { armed: true })
      start(items.filter(canStart).map(({ key }) => key))
    },

    /**
     * Sets the target of every open file that can have it.
     * @param to A format, or `SAME` for that of each file. @param say Returns the message about the outcome.
     */
    async setAll(to: string, say: (changed: number, skipped: readonly Item[]) => string): Promise<void> {
      const sources = [...new Set(store.get().items.flatMap(({ upload }) => upload?.file.format ?? []))]
      const options = await Promise.all(sources.map((source) => firstOptions(source, formatOf(to, source))))
      const first = new Map(sources.map((source, index) => [source, options[index]!]))
      const { items, formats } = store.get()
      const targetOf = ({ upload }: Item) => formatOf(to, upload!.file.format)
      const fits = (item: Item) => isOpen(item) && canBecome(formats, item, targetOf(item))
      const changed = items.map((item) =>
        fits(item) ? withTarget(item, targetOf(item), first.get(item.upload!.file.format) ?? {}, formats) : item,
      )
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
  }
}

const canBecome = (formats: State['formats'], { upload }: Item, to: string) =>
  formats.get(upload!.file.format)?.targets.includes(to) ?? false

/** Maximum number of suggestions, and of questions, for several files. */
const MAX_SUGGESTIONS = 6
const MAX_ASKED = 4

/** Returns targets that at least one open file can have, and those that most of them are offered first. */
export function commonTargets({ items, formats }: Pick<State, 'items' | 'formats'>) {
  const open = items.filter(isOpen)
  const sources = new Set(open.map(({ upload }) => upload!.file.format))
  const targetsOf = (source: string) => formats.get(source)?.targets ?? []
  const sameOf = (source: string) => (targetsOf(source).includes(source) ? [SAME] : [])
  return {
    targets: [...new Set([...sources].flatMap((source) => [...targetsOf(source), ...sameOf(source)]))],
    wanted: mostFrequent(
      open.flatMap(({ upload }) => wantedTargets(formats, upload!.file.format, upload!.suggestions)),
    ).slice(0, MAX_SUGGESTIONS),
  }
}

/** Returns what to ask for several files that have no target yet: what most of them are asked. */
export function askedOfAll({ items, formats }: Pick<State, 'items' | 'formats'>): readonly string[] {
  const open = items.filter((item) => isOpen(item) && !item.to)
  if (open.length < 2) return []
  return mostFrequent(open.flatMap(({ upload }) => askedTargets(formats, upload!.file.format))).slice(0, MAX_ASKED)
}

/** Returns each word once, the most frequent first. */
function mostFrequent(words: readonly string[]): string[] {
  const groups = [...Map.groupBy(words, (word) => word)]
  return groups.sort(([, a], [, b]) => b.length - a.length).map(([word]) => word)
}
