import type { Store } from '../state/store.ts'
import type { Work } from '../work/work.ts'
import { takeShared } from './shared-files.ts'
import { trustedUrl } from './trusted-url.ts'

/** Browsers send it when the page can be installed. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

/** Browsers that open files with an installed page put them into a queue. */
interface LaunchQueue {
  setConsumer(take: (launch: { files?: readonly FileSystemFileHandle[] }) => void): void
}

/** Lets people install the page, share files with it, and open files with it, as far as the browser can. */
export function offer(store: Store, work: Pick<Work, 'add'>): void {
  const install = (install?: () => void) => store.dispatch({ type: 'install', install })
  addEventListener('beforeinstallprompt', (event) => {
    // Otherwise some browsers show a banner of their own.
    event.preventDefault()
    install(() => {
      // It works once.
      install()
      void (event as InstallEvent).prompt()
    })
  })
  addEventListener('appinstalled', () => install())

  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(async ({ files = [] }) => {
    const opened = await Promise.all(files.map((handle) => handle.getFile()))
    work.add(opened.map((file) => ({ file })))
  })

  if (location.hash === '#not-shared') {
    history.replaceState(null, '', location.pathname)
    store.dispatch({ type: 'replaced', items: store.get().items, notice: { text: 'share.missed' } })
  }
  // Some browsers have none in private windows.
  if (!navigator.serviceWorker) return
  // Beside this script. Its scope is that folder: it answers shared files, and nothing of the page.
  void navigator.serviceWorker.register(trustedUrl(new URL('share-worker.js', import.meta.url).href)).catch(() => {})
  if (location.hash !== '#shared') return
  history.replaceState(null, '', location.pathname)
  void takeShared(new URL('shared/', import.meta.url).href).then((files) => {
    if (files.length) store.dispatch({ type: 'shared', files })
  })
}
