import type { Item } from '../state/item.ts'
import type { WorkContext } from './context.ts'

/** Results that were fetched for sharing, by the ids of their conversions. */
const fetched = new Map<string, Promise<File>>()

/** Hands results to other apps of the device. @param link Returns the URL of a result. */
export async function shareResults(
  { store }: WorkContext,
  link: (conversion: NonNullable<Item['conversion']>) => Promise<string | undefined>,
  done: readonly Item[],
): Promise<void> {
  const say = (text: string | undefined) => store.dispatch({ type: 'notice', notice: text ? { text } : undefined })
  const fileOf = async ({ conversion }: Item): Promise<File> => {
    const answer = await fetch((await link(conversion!))!)
    if (!answer.ok) throw new Error(`${answer.status}`)
    const blob = await answer.blob()
    return new File([blob], conversion!.outputFileId?.split('/').at(-1) ?? conversion!.name, { type: blob.type })
  }
  try {
    for (const item of done) {
      const { id } = item.conversion!
      if (!fetched.has(id)) fetched.set(id, fileOf(item))
    }
    const files = await Promise.all(done.map(({ conversion }) => fetched.get(conversion!.id)!))
    await navigator.share({ files })
    fetched.clear()
    say(undefined)
  } catch (error) {
    const { name } = error as Error
    // Browsers share only soon after a press. The files are there for the next one.
    if (name === 'NotAllowedError') say('bar.shareReady')
    else {
      fetched.clear()
      if (name !== 'AbortError') say('compare.failed')
    }
  }
}
