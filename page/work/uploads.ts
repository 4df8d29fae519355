import type { Upload } from '../../client/client.ts'
import { type Facts, isTooLarge } from '../state/facts.ts'
import { type Item, TOO_LARGE } from '../state/item.ts'
import { formatOf, silentTarget } from '../state/wanted.ts'
import { isOpenable } from './archives.ts'
import { problemOf, type WorkContext } from './context.ts'
import type { Conversions } from './conversions.ts'
import type { Given } from './files.ts'
import type { Loading } from './loading.ts'

/** Uploads at the same time. A browser opens six connections to one host, and other requests need some of them. */
const AT_ONCE = 2

/** Milliseconds between two updates of the shown progress. */
const FRAME = 100

/** Uploads files, a few at a time, in the order of the list. */
export function createUploads(
  context: WorkContext,
  facts: Facts,
  conversions: Conversions,
  { loadFormats, firstOptions }: Pick<Loading, 'loadFormats' | 'firstOptions'>,
) {
  const { store, client, change } = context
  let lastKey = 0
  let active = 0

  const blank = (name: string, size: number): Item => ({
    key: ++lastKey,
    name,
    size,
    stage: 'waiting',
    sent: 0,
    options: {},
  })

  function add(given: readonly Given[]): void {
    const items = given.map(({ file, folder, to }): Item => {
      const item = { ...blank(file.name, file.size), file, ...(folder && { folder }), ...(to && { wish: to }) }
      if (isOpenable(file.name)) return { ...item, stage: 'asked' }
      return isTooLarge(facts, file.size) ? { ...item, stage: 'failed', problem: TOO_LARGE } : item
    })
    if (items.length) store.dispatch({ type: 'added', items })
    pump()
  }

  function pump(): void {
    while (active < AT_ONCE) {
      const next = store.get().items.find(({ stage, file }) => stage === 'waiting' && file)
      if (!next) return
      active++
      void send(next).finally(() => {
        active--
        pump()
      })
    }
  }

  async function send({ key, file, name }: Item): Promise<void> {
    change(key, { stage: 'uploading', sent: 0 })
    let drawn = 0
    const onSent = (sent: number) => {
      if (Date.now() - drawn < FRAME && sent < file!.size) return
      drawn = Date.now()
      // The bytes of the form around the file are counted too.
      change(key, { sent: Math.min(sent, file!.size) })
    }
    await receive(key, (signal) => client.upload(file!, name, { signal, onSent }))
  }

  /** Updates a file from its record, and selects the last target of its format. */
  async function receive(key: number, ask: (signal: AbortSignal) => Promise<Upload>): Promise<void> {
    const signal = context.signalFor(key)
    try {
      const upload = await ask(signal)
      // A file can be given before they are there.
      await loadFormats()
      if (signal.aborted) return
      const { format, size } = upload.file
      const { settings, formats } = store.get()
      const last = settings.targets[format]
      const known = last !== undefined && formats.get(format)?.targets.includes(last)
      const given = context.find(key)
      const wish = given?.wish && formatOf(given.wish, format)
      const wished = wish && formats.get(format)?.targets.includes(wish) ? wish : undefined
      const to = given?.to ?? wished ?? (known ? last : silentTarget(formats, format, upload.suggestions))
      const options = given?.to ? given.options : to ? await firstOptions(format, to) : {}
      if (signal.aborted) return
      const starts = to !== undefined && ((known && settings.startByItself) || context.find(key)?.armed)
      change(key, { stage: starts ? 'lined' : 'ready', upload, size, sent: size, options, ...(to && { to }) })
      conversions.pump()
    } catch (error) {
      if (signal.aborted) return
      const problem = problemOf(error)
      // The service keeps nothing of an interrupted upload. Send it again when the service answers.
      if (problem.code === 'NETWORK' && context.find(key)?.file) {
        await client.formats({ signal }).catch(() => {})
        if (!signal.aborted) change(key, { stage: 'waiting', sent: 0 })
      } else change(key, { stage: 'failed', problem })
    }
  }

  /** Makes the service fetch a file of the list. */
  function fetchUrl(key: number, url: string): void {
    change(key, { stage: 'uploading', problem: undefined })
    void receive(key, async (signal) => {
      const upload = await client.importUrl(url, { signal })
      change(key, { name: upload.file.originalName })
      return upload
    })
  }

  return {
    add,
    pump,
    /** Adds a file that the service has already. */
    put(upload: Upload, more: Partial<Item> = {}) {
      const { originalName, size } = upload.file
      const item: Item = { ...blank(originalName, size), ...more, stage: 'uploading', sent: size }
      store.dispatch({ type: 'added', items: [item] })
      void receive(item.key, async () => upload)
    },

    addUrl(url: string) {
      const item: Item = { ...blank(nameOf(url), 0), url, stage: 'uploading' }
      store.dispatch({ type: 'added', items: [item] })
      fetchUrl(item.key, url)
    },
    fetchUrl,
  }
}

/** The name of a file until the service tells it. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1)
  try {
    return decodeURIComponent(last!) || url
  } catch {
    return last!
  }
}
