import { useEffect, useId } from 'preact/hooks'
import type { OptionSchema } from '../../client/client.ts'
import { useDetails } from './detail-texts.ts'

type Value = string | number | boolean

interface Props {
  /** Whether a number is chosen by a slider. */
  isSlider: boolean
  label: string
  schema: Omit<OptionSchema, 'description'>
  /** What it does; empty if its label says that. */
  hint: string
  /** Undefined: the service's default. */
  value: Value | undefined
  /** Label of the option that excludes this one. */
  conflict: string | undefined
  /** Why the service refused the value. */
  refusal: string | undefined
  onChange: (value: Value | undefined) => void
}

/** One option of a tool: a checkbox, a choice or a number, according to its schema. */
export function OptionField({
  isSlider: slides,
  label,
  schema,
  hint: text,
  value,
  conflict,
  refusal,
  onChange,
}: Props) {
  const { t, has, number } = useDetails()
  const wordsOf = (choice: string | number) => {
    const key = `choice.${choice}`
    return has(key) ? t(key) : typeof choice === 'number' ? number(choice) : choice
  }
  const id = useId()
  const range = rangeOf(schema)
  const outside = range && typeof value === 'number' && (value < range.least || value > range.most || value % 1 !== 0)
  const why = conflict ? t('options.with', { other: conflict }) : outside && t('options.bad', range)
  const isBad = !conflict && Boolean(outside || refusal)
  const control = {
    id,
    'aria-describedby': `${id}-hint`,
    disabled: conflict !== undefined,
    'aria-invalid': isBad || undefined,
  }
  useEffect(() => {
    // Not while the user types elsewhere, or is at another refused option.
    if (refusal && !document.activeElement?.matches('input, select')) document.getElementById(id)!.focus()
  }, [refusal, id])
  const usual = schema.default
  const isSlider = range && slides
  const hint = (
    <small id={`${id}-hint`} class={isBad ? 'bad' : ''}>
      {why || (refusal ? t('options.refused') : <bdi>{text}</bdi>)}
    </small>
  )

  if (schema.type === 'boolean') {
    return (
      <div class="check">
        <input
          type="checkbox"
          checked={(value ?? usual) === true}
          {...control}
          onChange={({ currentTarget: { checked } }) => onChange(checked === (usual ?? false) ? undefined : checked)}
        />
        <div>
          <label for={id}>{label}</label>
          {hint}
        </div>
      </div>
    )
  }
  return (
    <div class="field">
      <p>
        <label for={id}>{label}</label>
        {range && !isSlider && <small> {t('options.range', range)}</small>}
        {isSlider && <output for={id}>{value ?? usual ?? '–'}</output>}
      </p>
      {schema.enum ? (
        <select
          value={value === undefined ? '' : String(value)}
          {...control}
          onChange={({ currentTarget }) => onChange(schema.enum!.find((one) => String(one) === currentTarget.value))}
        >
          <option value="">
            {usual === undefined ? t('options.usual') : t('options.default', { value: wordsOf(usual as string) })}
          </option>
          {schema.enum.map((one) => (
            <option key={one} value={String(one)}>
              {wordsOf(one)}
            </option>
          ))}
        </select>
      ) : isSlider ? (
        <input
          type="range"
          min={schema.minimum}
          max={schema.maximum}
          {...control}
          value={Number(value ?? usual ?? range!.most)}
          onInput={({ currentTarget: { valueAsNumber } }) => onChange(valueAsNumber)}
        />
      ) : (
        <input
          type="number"
          inputMode="numeric"
          min={schema.minimum}
          max={schema.maximum}
          step={1}
          {...control}
          value={value === undefined ? '' : String(value)}
          placeholder={usual === undefined ? t('options.usual') : String(usual)}
          onInput={({ currentTarget: { value: text, valueAsNumber } }) =>
            onChange(text === '' ? undefined : valueAsNumber)
          }
        />
      )}
      {hint}
    </div>
  )
}

/** Returns the bounds of a number field. */
function rangeOf({ minimum, maximum, enum: values }: Props['schema']): { least: number; most: number } | undefined {
  if (values || minimum === undefined || maximum === undefined) return undefined
  return { least: minimum, most: maximum }
}
