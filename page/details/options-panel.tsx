import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { codeOf } from '../parts/target-name.ts'
import type { Item, Problem } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { useDetails } from './detail-texts.ts'
import { conflictOf, mainOptions, refusalOf, usefulOptions } from './option-choices.ts'
import { OptionField } from './option-field.tsx'
import { PresetRow } from './preset-row.tsx'

/** Options whose number means little by itself. */
const SLIDERS = ['quality', 'crf', 'bitrate']

interface Props {
  id: string
  item: Item
  state: State
  work: Work
}

/** Options for one file and its target. */
export function OptionsPanel({ id, item, state, work }: Props) {
  const { t, has } = useDetails()
  const page = useTexts()
  const { key, to, options, upload, name } = item
  const from = upload!.file.format
  const category = (to && state.formats.get(to)?.category) ?? ''
  const tools = work.toolsOf(from, category)
  const schema = tools?.find(({ toFormat }) => toFormat === to)?.options

  const [problem, setProblem] = useState<Problem>()
  const load = () => {
    setProblem(undefined)
    if (category) void work.loadTools(from, category).catch((error) => setProblem(work.problemOf(error)))
  }
  useEffect(load, [from, category, work])

  const useful = schema ? usefulOptions(schema, options) : []
  const alike = state.items.filter((other) => other.to === to && other.stage === 'ready').length
  const set = (option: string, value: string | number | boolean | undefined) => {
    const { [option]: _, ...rest } = options
    work.setOptions(key, value === undefined ? rest : { ...rest, [option]: value })
  }
  /** The page has words of its own for what the built-in plugins offer. */
  const wordsFor = (key: string, own: string) => (has(key) ? t(key) : own)
  const labelOf = (option: string) => {
    const { title, unit } = schema!.properties[option]!
    return wordsFor(`option.${option}`, unit ? `${title}, ${unit}` : title)
  }
  const { shown, more } = mainOptions(useful)
  const [moreOpen, setMoreOpen] = useState<boolean>()
  const refused = (option: string) => item.problem && refusalOf(option, item.problem)
  const field = (option: string) => {
    const conflict = conflictOf(option, schema!, options)
    const { description, ...own } = schema!.properties[option]!
    return (
      <OptionField
        key={option}
        isSlider={SLIDERS.includes(option) && shown.includes(option)}
        label={labelOf(option)}
        schema={own}
        // The service describes its options in English, for developers.
        hint={has(`option.${option}`) ? '' : description}
        value={options[option]}
        conflict={conflict && labelOf(conflict)}
        refusal={refused(option)}
        onChange={(value) => set(option, value)}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser
    <div id={id} class="options" role="group" aria-label={page.t('options.openName', { name })}>
      {!schema && !problem && <p class="hint">{to ? t('options.loading') : `${page.t('target.label', { name })} …`}</p>}
      {!schema && problem && (
        <p class="hint" role="alert">
          {page.t(work.problemKey(problem, page.has))} <Button onClick={load}>{page.t('row.retry')}</Button>
        </p>
      )}
      {schema && !useful.length && <p class="hint">{t('options.none')}</p>}
      {schema && useful.length > 0 && (
        <PresetRow item={item} schema={schema} onChoose={(values) => work.setOptions(key, values)} />
      )}
      {shown.length > 0 && <div class="fields">{shown.map(field)}</div>}
      {more.length > 0 && (
        <details
          class="options-more"
          open={more.some(refused) || (moreOpen ?? more.some((option) => options[option] !== undefined))}
          onToggle={({ currentTarget }) => setMoreOpen(currentTarget.open)}
        >
          <summary>{t('options.more')}</summary>
          <div class="fields">{more.map(field)}</div>
        </details>
      )}
      <div class="options-end">
        {Object.keys(options).length > 0 && (
          <Button onClick={() => work.setOptions(key, {})}>{t('options.reset')}</Button>
        )}
        {alike > 1 && useful.length > 0 && (
          <Button onClick={() => work.applyOptions(item, (count) => page.t('bar.applied', { count }))}>
            {t('options.apply', { count: alike, format: codeOf(to!) })}
          </Button>
        )}
      </div>
    </div>
  )
}
