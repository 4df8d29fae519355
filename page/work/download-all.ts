import type { Item } from '../state/item.ts'
import type { WorkContext } from './context.ts'

/** Saves the results of files that are done as one ZIP, however they were started. @param save Saves what a URL has. */
export async function downloadAll(
  { store, client, change, problemOf }: WorkContext,
  save: (url: string) => void,
  done: readonly Item[],
): Promise<void> {
  const ids = done.map(({ conversion }) => conversion!.id)
  let missing: readonly string[]
  try {
    const zip = await client.zip(ids)
    missing = zip.missing
    save(client.downloadUrl(zip)!)
  } catch (error) {
    const { code, message } = problemOf(error)
    missing = code === 'NOT_FOUND' ? ids : []
    if (!missing.length) store.dispatch({ type: 'replaced', items: store.get().items, notice: { text: message } })
  }
  // The service says what has become of each.
  for (const { key, conversion } of done) {
    if (missing.includes(conversion!.id)) {
      await client.conversion(conversion!.id).catch((error) => change(key, { problem: problemOf(error) }))
    }
  }
}
