import { useEffect, useState } from 'preact/hooks'
import type { Item, Problem } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button } from './button.tsx'
import { conflictOf, isSame, presetsOf, refusalOf, usefulOptions } from './option-choices.ts'
import { OptionField } from './option-field.tsx'

interface Props {
  id: string
  item: Item
  state: State
  work: Work
}

/** Options for one file and its target. */
export function OptionsPanel({ id, item, state, work }: Props) {
  const { t, has } = useTexts()
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

  const useful = schema ? usefulOptions(schema) : []
  const alike = state.items.filter((other) => other.to === to && other.stage === 'ready').length
  const set = (option: string, value: string | number | boolean | undefined) => {
    const { [option]: _, ...rest } = options
    work.setOptions(key, value === undefined ? rest : { ...rest, [option]: value })
  }
  const presets = schema ? presetsOf(schema, to === from) : []
  /** The page has words of its own for what the built-in plugins offer. */
  const wordsFor = (key: string, own: string) => (has(key) ? t(key) : own)
  const labelOf = (option: string) => {
    const { title, unit } = schema!.properties[option]!
    return wordsFor(`option.${option}`, unit ? `${title}, ${unit}` : title)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser
    <div id={id} class="options" role="group" aria-label={t('options.openName', { name })}>
      {!schema && !problem && <p class="hint">{t('options.loading')}</p>}
      {!schema && problem && (
        <p class="hint" role="alert">
          <bdi>{problem.message}.</bdi> <Button onClick={load}>{t('row.retry')}</Button>
        </p>
      )}
      {schema && !useful.length && <p class="hint">{t('options.none')}</p>}
      {presets.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields
        <div class="presets" role="group" aria-label={t('preset.label')}>
          {presets.map(({ name, title, options: values }) => (
            <button
              key={name}
              type="button"
              class="preset"
              aria-pressed={isSame(values, options)}
              onClick={() => work.setOptions(key, values)}
            >
              {wordsFor(`preset.${name}`, title)}
            </button>
          ))}
        </div>
      )}
      {useful.length > 0 && (
        <div class="fields">
          {useful.map((option) => {
            const conflict = conflictOf(option, schema!, options)
            return (
              <OptionField
                key={option}
                label={labelOf(option)}
                schema={schema!.properties[option]!}
                value={options[option]}
                conflict={conflict && labelOf(conflict)}
                refusal={item.problem && refusalOf(option, item.problem)}
                onChange={(value) => set(option, value)}
              />
            )
          })}
        </div>
      )}
      <div class="options-end">
        {Object.keys(options).length > 0 && (
          <Button onClick={() => work.setOptions(key, {})}>{t('options.reset')}</Button>
        )}
        {alike > 1 && useful.length > 0 && (
          <Button onClick={() => work.applyOptions(item, (count) => t('bar.applied', { count }))}>
            {t('options.apply', { count: alike, format: to!.toUpperCase() })}
          </Button>
        )}
      </div>
    </div>
  )
}
