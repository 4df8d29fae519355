import type { Conversion, Upload } from '../../client/client.ts'
import type { Item } from '../state/item.ts'
import type { WorkContext } from './context.ts'
import type { Conversions } from './conversions.ts'

/** Conversions from before the page was opened. @param put Adds a file to the list that the service has already. */
export function createHistory(
  { store, client }: WorkContext,
  { watch }: Conversions,
  put: (upload: Upload, more: Partial<Item>) => void,
) {
  const without = (id: string) => store.get().history.filter((conversion) => conversion.id !== id)

  return {
    async load(): Promise<void> {
      const conversions = await client.conversions({ limit: 200 })
      const shown = conversions.filter(({ error }) => error?.code !== 'CANCELLED')
      store.dispatch({ type: 'history', conversions: shown })
      // Continue to poll conversions that were running when the page was closed.
      void watch()
    },

    /** Adds the source of an earlier conversion to the list, to choose another target. @throws AthanorError. */
    async reuse({ id }: Conversion): Promise<void> {
      const file = await client.source(id)
      put({ file, suggestions: [] }, { reused: true })
    },

    /** Adds a conversion of the list, which the history may have already. */
    keep(conversion: Conversion): void {
      store.dispatch({ type: 'history', conversions: [conversion, ...without(conversion.id)] })
    },

    /** Deletes a conversion with its result, or cancels it if it runs. */
    forget(id: string): void {
      store.dispatch({ type: 'history', conversions: without(id) })
      void client.remove(id).catch(() => {})
    },
  }
}
