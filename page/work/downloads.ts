import type { Conversion } from '../../client/client.ts'
import { type Item, isBusy } from '../state/item.ts'
import { problemOf, type WorkContext } from './context.ts'

/** Milliseconds after which a link is renewed. The links of the service are valid for at least some minutes. */
const FRESH = 5 * 60_000

/** Saves results. */
export function createDownloads(context: WorkContext) {
  const { store, client, change } = context
  /**
   * When each result was there, by the id of its conversion, and the results that were offered to be saved by
   * themselves.
   */
  const seen = new Map<string, number>()
  const offered = new Set<string>()

  const save = (url: string) => {
    const link = document.createElement('a')
    link.href = url
    // The service sets the file name.
    link.download = ''
    link.click()
  }

  /** Returns the URL of a result. Renews an old link. @throws AthanorError. */
  async function link(conversion: Conversion): Promise<string | undefined> {
    const known = seen.get(conversion.id)
    const isFresh = known !== undefined && Date.now() - known < FRESH
    return client.downloadUrl(isFresh ? conversion : await client.conversion(conversion.id))
  }

  /** Saves a result. @throws AthanorError, such as NOT_FOUND when the service has deleted it. */
  async function download(conversion: Conversion): Promise<void> {
    const url = await link(conversion)
    if (url) save(url)
  }

  const doneItems = () => store.get().items.filter(({ stage }) => stage === 'done')

  /** Saves the result of a file in the list. A failure is shown there. */
  function downloadOf(key: number, conversion: Conversion): void {
    change(key, { problem: undefined })
    download(conversion).catch((error) => change(key, { problem: problemOf(error) }))
  }

  /** Saves the results of files that are done as one ZIP, which lists those that failed. By default, of all. */
  const downloadAll = (items: readonly Item[] = doneItems()) => {
    const failed = store.get().items.flatMap(({ stage, failedId }) => (stage === 'failed' && failedId) || [])
    return import('./download-all.ts').then(
      (loaded) => loaded.downloadAll(context, save, items, failed),
      () => store.dispatch({ type: 'notice', notice: { text: 'lazy.failed' } }),
    )
  }

  /** Hands all results to other apps of the device. */
  const share = () =>
    import('./sharing.ts').then(
      ({ shareResults }) => shareResults(context, link, doneItems()),
      () => store.dispatch({ type: 'notice', notice: { text: 'lazy.failed' } }),
    )

  let wasBusy = false
  // Saves new results automatically when nothing is left to do, if the user wants that.
  store.subscribe(() => {
    const { items, settings } = store.get()
    const done = doneItems().filter(({ conversion }) => !offered.has(conversion!.id))
    for (const { conversion } of done) if (!seen.has(conversion!.id)) seen.set(conversion!.id, Date.now())
    const before = wasBusy
    wasBusy = items.some(isBusy)
    if (!before || wasBusy) return
    for (const { conversion } of done) offered.add(conversion!.id)
    if (!(items.length > 1 ? settings.saveAllByItself : settings.saveByItself)) return
    if (done.length > 1) void downloadAll(done)
    else for (const { key, conversion } of done) downloadOf(key, conversion!)
  })

  return { link, download, downloadOf, downloadAll, share }
}
