import type { Conversion } from '../../client/client.ts'
import type { Bench } from './work.ts'

/** Milliseconds after which a link is renewed. The links of the service are valid for at least some minutes. */
const FRESH = 5 * 60_000

/** Saves results. */
export function createDownloads({ store, client, find }: Bench) {
  const seen = new Map<string, number>()

  const save = (url: string) => {
    const link = document.createElement('a')
    link.href = url
    // The service sets the file name.
    link.download = ''
    link.click()
  }

  /** Returns the URL of a result. Renews an old link. */
  async function link(conversion: Conversion): Promise<string | undefined> {
    const known = seen.get(conversion.id)
    const isFresh = known !== undefined && Date.now() - known < FRESH
    return client.downloadUrl(isFresh ? conversion : await client.conversion(conversion.id))
  }

  return {
    link,

    /** Saves a result. */
    async download(conversion: Conversion): Promise<void> {
      const url = await link(conversion)
      if (url) save(url)
    },

    /** Saves the results of all files that are done: one ZIP for each batch. */
    async downloadAll(): Promise<void> {
      const done = store.get().items.filter(({ stage }) => stage === 'done')
      const batches = new Set(done.flatMap(({ batch }) => batch ?? []))
      const urls = [
        ...[...batches].map(async (id) => client.downloadUrl(await client.batch(id))),
        ...done
          .filter(({ batch }) => !batch)
          .map(async ({ conversion }) => client.downloadUrl(await client.conversion(conversion!.id))),
      ]
      for (const url of await Promise.all(urls)) if (url) save(url)
    },

    /** Saves the result of a single file automatically, if the user wants that. Called when a file is converted. */
    ended(key: number): void {
      const { items, settings } = store.get()
      const { conversion } = find(key)!
      seen.set(conversion!.id, Date.now())
      if (settings.saveByItself && items.length === 1) save(client.downloadUrl(conversion!)!)
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>
