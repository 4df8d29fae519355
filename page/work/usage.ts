import type { Facts } from '../state/facts.ts'
import type { Usage } from '../state/reducer.ts'
import type { WorkContext } from './context.ts'

/** Milliseconds after the last end of a conversion. */
const QUIET = 1000

/** Milliseconds to wait for the event. */
const PATIENCE = 4000

/** Learns how many conversions of today's limit are used: at first, and when conversions have ended. */
export function createUsage(
  { store }: Pick<WorkContext, 'store'>,
  facts: Facts,
  headers: () => Record<string, string>,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: AbortController | undefined

  /** Reads the first event of the service's stream. Guests cannot ask for their usage otherwise. */
  async function load(): Promise<void> {
    if (facts.conversionsPerDay === null && facts.bytesPerDay === null) return
    current?.abort()
    const controller = new AbortController()
    current = controller
    // A proxy may hold the stream back.
    const late = setTimeout(() => controller.abort(), PATIENCE)
    try {
      const url = new URL('api/events', new URL('.', document.baseURI))
      const { body } = await fetch(url, { headers: headers(), signal: controller.signal, cache: 'no-store' })
      let text = ''
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { value, done } = await reader.read()
        text += value ?? ''
        const found = /^event: usage\ndata: (.*)\n\n/m.exec(text)
        if (found) store.dispatch({ type: 'usage', usage: JSON.parse(found[1]!) as Usage })
        if (found || done) break
      }
    } catch {
      // Without it, the page only does not show what is left.
    }
    clearTimeout(late)
    controller.abort()
  }

  let ended = 0
  store.subscribe(() => {
    const now = store.get().items.filter(({ stage }) => stage === 'done' || stage === 'failed').length
    if (now > ended) {
      clearTimeout(timer)
      timer = setTimeout(() => void load(), QUIET)
    }
    ended = now
  })
  return { loadUsage: load }
}
