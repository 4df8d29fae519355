import type { Item } from '../state/item.ts'
import type { WorkContext } from './context.ts'

/**
 * Saves the results of files that are done as one ZIP, however they were started.
 * @param save Saves what a URL has. @param failed Ids of conversions that the ZIP lists as failed.
 */
export async function downloadAll(
  { store, client, change, problemOf }: WorkContext,
  save: (url: string) => void,
  done: readonly Item[],
  failed: readonly string[],
): Promise<void> {
  const ids = done.map(({ conversion }) => conversion!.id)
  const say = (text: string) => store.dispatch({ type: 'notice', notice: { text } })
  let missing: readonly string[]
  say('bar.preparing')
  try {
    const zip = await client.zip([...ids, ...failed])
    missing = zip.missing
    save(client.downloadUrl(zip)!)
    say('bar.saved')
  } catch (error) {
    const { code } = problemOf(error)
    missing = code === 'NOT_FOUND' ? ids : []
    // Each file says what has become of it.
    if (missing.length) store.dispatch({ type: 'notice', notice: undefined })
    else say(code === 'NETWORK' ? 'error.NETWORK' : 'error.INTERNAL_SERVER_ERROR')
  }
  // The service says what has become of each.
  for (const { key, conversion } of done) {
    if (missing.includes(conversion!.id)) {
      await client.conversion(conversion!.id).catch((error) => change(key, { problem: problemOf(error) }))
    }
  }
}
