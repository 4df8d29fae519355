import { useEffect, useRef, useState } from 'preact/hooks'
import { type Item, isBusy, shareDone } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'

/** Milliseconds between two announcements. */
const QUIET = 5000

/** Announces the progress of the whole list to screen readers and in the title bar, in one sentence, at intervals. */
export function Summary({ items, name }: { items: readonly Item[]; name: string }) {
  const { t, percent } = useTexts()
  const busy = items.filter(isBusy)
  const done = items.filter(({ stage }) => stage === 'done').length
  const failed = items.filter(({ stage }) => stage === 'failed').length
  const share = items.length ? items.reduce((sum, item) => sum + shareDone(item), 0) / items.length : 0
  const working = busy.length > 0
  const shown = working ? percent(Math.floor(share * 100) / 100) : ''

  useEffect(() => {
    document.title = shown ? `${shown} · ${name}` : done ? `✓ ${name}` : name
  }, [shown, done > 0, name])

  const ended = [done && t('status.ended', { count: done }), failed && t('status.failed', { count: failed })]
  const sentence = working
    ? t('status.working', { done, total: items.length, percent: shown })
    : ended.filter(Boolean).join(' ')
  const wasWorking = useRef(working)
  useEffect(() => {
    if (wasWorking.current && !working && sentence)
      void import('../work/telling.ts').then(({ tell }) => tell(name, sentence)).catch(() => {})
    wasWorking.current = working
  }, [working])
  const said = useSeldom(sentence, working)
  return (
    <p class="visually-hidden" aria-live="polite" id="summary">
      {said}
    </p>
  )
}

/** Returns the sentence of the last announcement. The final sentence is announced at once. */
function useSeldom(sentence: string, working: boolean): string {
  const [said, setSaid] = useState('')
  const last = useRef(0)
  useEffect(() => {
    const speak = () => {
      last.current = Date.now()
      setSaid(sentence)
    }
    if (!working) return speak()
    const timer = setTimeout(speak, Math.max(0, last.current + QUIET - Date.now()))
    return () => clearTimeout(timer)
  }, [sentence, working])
  return said
}
