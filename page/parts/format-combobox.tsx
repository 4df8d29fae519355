import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import { type Group, groupTargets } from './target-choices.ts'

interface Props {
  label: string
  /** Text of the field when the list is closed. */
  value: string
  targets: readonly string[]
  suggestions?: readonly string[]
  /** Category of the source. Its group comes first. */
  category?: string
  /** Format of the source. As a target, it means to make the file smaller. */
  source?: string
  formats: State['formats']
  onChange: (target: string) => void
}

/** Height in pixels that the open list needs below the field. */
const ROOM = 330

/** A field to search and choose a format: the ARIA combobox pattern with a grouped list. */
export function FormatCombobox({ label, value, source, formats, onChange, ...choice }: Props) {
  const { t, has } = useTexts()
  const [query, setQuery] = useState<string>()
  const [at, setAt] = useState(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const open = query !== undefined
  const groups = open ? groupTargets(choice, formats, query) : []
  const flat = groups.flatMap((group) => group.formats)

  const [above, setAbove] = useState(false)
  useLayoutEffect(() => {
    if (!open) return
    const { top, bottom } = field.current!.getBoundingClientRect()
    setAbove(window.innerHeight - bottom < ROOM && top > ROOM)
  }, [open])

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, open])

  const show = () => {
    if (open) return
    setQuery('')
    const first = groupTargets(choice, formats, '').flatMap((group) => group.formats)
    setAt(Math.max(0, first.indexOf(value)))
  }
  const close = () => setQuery(undefined)
  const choose = (target: string | undefined) => {
    close()
    if (target) onChange(target)
  }

  const keys = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      if (!open) return show()
      const to = at + step
      // Arrow keys wrap around at the ends of the list.
      setAt(Math.abs(step) === 1 ? (to + flat.length) % flat.length : Math.max(0, Math.min(flat.length - 1, to)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (open) choose(flat[at])
      else show()
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  const typed = (text: string) => {
    setQuery(text)
    setAt(0)
  }

  const titleOf = ({ id: group }: Group) =>
    group === 'suggested' ? t('target.suggested') : has(`group.${group}`) ? t(`group.${group}` as never) : group
  const nameOf = (target: string) =>
    target === source ? t('target.optimise', { format: target.toUpperCase() }) : target.toUpperCase()

  // Place of the next option in the whole list.
  let place = 0
  return (
    <div class="combobox">
      <input
        ref={field}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && flat.length ? `${id}-${at}` : undefined}
        placeholder={t(open ? 'target.search' : 'target.choose')}
        value={open ? query : value && nameOf(value)}
        onClick={show}
        // Only typed text is a search. The text of the closed field is not.
        onInput={(event) => typed(open ? event.currentTarget.value : ((event as InputEvent).data ?? ''))}
        onKeyDown={keys}
        onBlur={close}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        class={above ? 'list above' : 'list'}
        hidden={!open}
        aria-label={label}
        tabIndex={-1}
        // Keep the focus in the field. Otherwise the list closes before the click arrives.
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={group.id} role="group" aria-label={titleOf(group)}>
            <p class="group-title" aria-hidden="true">
              {titleOf(group)}
            </p>
            {group.formats.map((target) => {
              const index = place++
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                <div
                  key={target}
                  id={`${id}-${index}`}
                  role="option"
                  class={target === source ? 'option wide' : 'option'}
                  aria-selected={index === at}
                  onClick={() => choose(target)}
                >
                  {nameOf(target)}
                </div>
              )
            })}
          </div>
        ))}
        {open && !flat.length && <p class="hint">{t('target.none')}</p>}
      </div>
    </div>
  )
}
