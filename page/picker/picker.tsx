import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import { groupTargets, searchTargets } from './choices.ts'
import { Grid, MORE } from './grid.tsx'
import { placeBeside } from './place.ts'
import type { Targets } from './targets.ts'
import { ENGLISH, useWords } from './words.ts'

interface Props extends Targets {
  label: string
  /** The chosen target. */
  value: string | undefined
  source: string | undefined
  formats: State['formats']
  query: string
  /** The list opens beside it. */
  anchor: HTMLElement
  onQuery: (query: string) => void
  onChoose: (target: string) => void
  onOptions: (() => void) | undefined
  onClose: () => void
}

/** Targets in one line of the list. */
const COLUMNS = 2

/** The list of targets, with a search. In a narrow window, a sheet from below. */
export function Picker(props: Props) {
  const { label, value, source, formats, query, anchor, onQuery, onChoose, onOptions, onClose, ...choice } = props
  const { t, has, direction } = useTexts()
  const words = useWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [all, setAll] = useState(false)
  const [row, setRow] = useState(0)
  const [column, setColumn] = useState(0)

  useLayoutEffect(() => {
    dialog.current!.showModal()
    // On phones, a keyboard would hide the list. It comes when the field is touched.
    if (matchMedia('(pointer: coarse)').matches) dialog.current!.focus()
    placeBeside(dialog.current!, anchor, direction)
  }, [])

  const { targets, wanted, category } = choice
  const categoryName = (id: string) => (has(`group.${id}`) ? t(`group.${id}` as never) : id)
  const found = query.trim() ? searchTargets(targets, query, formats, [words, ENGLISH], categoryName) : undefined
  const groups = found ? [{ id: 'found', targets: found }] : groupTargets(targets, wanted, category, formats)
  const lines = groups.flatMap((group) => {
    const shown = group.id === 'more' && !all ? [MORE] : group.targets
    return Array.from({ length: Math.ceil(shown.length / COLUMNS) }, (_, at) => ({
      group: group.id,
      targets: shown.slice(at * COLUMNS, at * COLUMNS + COLUMNS),
    }))
  })
  const at = Math.min(row, lines.length - 1)
  const line = lines[at]?.targets ?? []
  const active = line[Math.min(column, line.length - 1)]

  // The list begins at the chosen target.
  useEffect(() => {
    const chosen = lines.findIndex((one) => one.targets.includes(value ?? ''))
    if (query || chosen < 0) return
    setRow(chosen)
    setColumn(lines[chosen]!.targets.indexOf(value!))
  }, [])
  useEffect(() => {
    dialog.current!.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [row, column, query])

  const choose = (target: string | undefined) => {
    if (target === MORE) return setAll(true)
    if (!target) return
    onChoose(target)
    dialog.current!.close()
  }
  const keys = (event: KeyboardEvent) => {
    const forward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const rows: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }
    const step = rows[event.key]
    if (step) {
      const to = at + step
      // Arrow keys wrap around at the ends of the list.
      setRow(Math.abs(step) === 1 ? (to + lines.length) % lines.length : Math.max(0, Math.min(lines.length - 1, to)))
    } else if (event.key === forward) setColumn(Math.min(line.length - 1, column + 1))
    else if (event.key === back) setColumn(Math.max(0, Math.min(column, line.length - 1) - 1))
    else if (event.key === 'Enter') choose(active)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="picker"
      aria-label={label}
      tabIndex={-1}
      onClose={onClose}
      onKeyDown={keys}
      onClick={({ target }) => target === dialog.current && dialog.current!.close()}
    >
      <div class="picker-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          enterKeyHint="done"
          aria-label={t('target.search')}
          aria-autocomplete="list"
          aria-haspopup="grid"
          aria-expanded={true}
          aria-controls={`${id}-grid`}
          aria-activedescendant={active && `${id}-${active}`}
          placeholder={t('target.hint')}
          value={query}
          onInput={({ currentTarget }) => {
            setRow(0)
            setColumn(0)
            onQuery(currentTarget.value)
          }}
        />
        {onOptions && (
          <Button
            class="quiet picker-options"
            onClick={() => {
              dialog.current!.close()
              onOptions()
            }}
          >
            {t('options.open')}
          </Button>
        )}
        <IconButton icon="cross" label={t('target.close')} onClick={() => dialog.current!.close()} />
      </div>
      <Grid
        id={id}
        label={label}
        lines={lines}
        total={targets.length}
        active={active}
        value={value}
        source={source}
        words={words}
        onChoose={choose}
      />
      {!lines.length && <p class="hint">{t('target.none')}</p>}
    </dialog>
  )
}
