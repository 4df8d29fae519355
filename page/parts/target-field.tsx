import { useEffect, useRef, useState } from 'preact/hooks'
import type { Targets } from '../picker/targets.ts'
import type { State } from '../state/reducer.ts'
import { SAME } from '../state/wanted.ts'
import { useTexts } from '../texts/texts.ts'
import { lazy } from './lazy.tsx'
import { targetName } from './target-name.ts'

interface Props extends Targets {
  label: string
  /** The chosen target; undefined if there is none. */
  value?: string
  /** Format of the source; undefined for several files. */
  source?: string
  formats: State['formats']
  onChange: (target: string) => void
  /** Shows the options; undefined: there are none. In a narrow window, their button is in the list of targets. */
  onOptions?: () => void
}

const load = async () => (await import('../picker/picker.tsx')).Picker
const Picker = lazy(load)

/** The chosen target, as a button that opens the list of all targets. */
export function TargetField({ label, value, source, formats, onChange, onOptions, ...choice }: Props) {
  const texts = useTexts()
  // Undefined: the list is closed. What is typed before it is loaded is searched, too.
  const [query, setQuery] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => void load().catch(() => {}), [])
  const shown = value ? targetName(texts, value, source) : texts.t('target.choose')

  const keys = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isTyped = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (!isTyped && key !== 'ArrowDown') return
    event.preventDefault()
    setQuery((typed = '') => (isTyped ? typed + key : typed))
  }
  return (
    <>
      <button
        type="button"
        class={value ? 'target-field' : 'target-field unset'}
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={query !== undefined}
        aria-label={`${label}: ${shown}`}
        onClick={() => setQuery((typed = '') => typed)}
        onKeyDown={keys}
      >
        {shown}
      </button>
      {query !== undefined && (
        <Picker
          {...choice}
          label={label}
          value={value && value === source ? SAME : value}
          source={source}
          formats={formats}
          query={query}
          anchor={button.current!}
          onQuery={setQuery}
          onChoose={onChange}
          onOptions={onOptions}
          onClose={() => setQuery(undefined)}
        />
      )}
    </>
  )
}
