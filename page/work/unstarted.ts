import type { Upload } from '../../client/client.ts'
import { type Item, isArriving } from '../state/item.ts'
import type { WorkContext } from './context.ts'

/** Where a tab keeps the files that are uploaded and not started. It forgets them when it is closed. */
const UNSTARTED = 'athanor.unstarted'

type Kept = Pick<Item, 'folder' | 'to' | 'options'> & { upload: Upload }

/**
 * Brings uploaded files back that were not started before the page was loaded again, and asks before somebody leaves
 * while files are being uploaded.
 * @param put Adds a file to the list that the service has already.
 */
export function createUnstarted({ store, client }: WorkContext, put: (upload: Upload, more: Partial<Item>) => void) {
  addEventListener('beforeunload', (event) => {
    if (store.get().items.some(isArriving)) event.preventDefault()
  })
  addEventListener('pagehide', () => {
    const kept = store.get().items.flatMap(({ stage, upload, folder, to, options }): Kept[] => {
      if (!upload || (stage !== 'ready' && stage !== 'failed')) return []
      return [{ upload, options, ...(folder && { folder }), ...(to && { to }) }]
    })
    try {
      sessionStorage.setItem(UNSTARTED, JSON.stringify(kept))
    } catch {}
  })

  return {
    /** Call it once the session is known. Files that the service has deleted since are left out. */
    async restore(): Promise<void> {
      let kept: Kept[] = []
      // Somebody who comes from elsewhere begins anew.
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      try {
        if (visit?.type !== 'navigate') kept = JSON.parse(sessionStorage.getItem(UNSTARTED) ?? '[]')
        sessionStorage.removeItem(UNSTARTED)
      } catch {}
      for (const { upload, ...more } of kept) {
        const found = await client.request('GET', `api/files/${encodeURIComponent(upload.file.fileId)}`).catch(() => {})
        if (found) put({ ...upload, ...found }, more)
      }
    },
  }
}
