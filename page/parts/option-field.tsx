import { useEffect, useId } from 'preact/hooks'
import type { OptionSchema } from '../../client/client.ts'
import { useTexts } from '../texts/texts.ts'

type Value = string | number | boolean

interface Props {
  label: string
  schema: OptionSchema
  /** Undefined: the service's default. */
  value: Value | undefined
  /** Label of the option that excludes this one. */
  conflict: string | undefined
  /** Why the service refused the value. */
  refusal: string | undefined
  onChange: (value: Value | undefined) => void
}

/** One option of a tool: a checkbox, a choice or a number, according to its schema. */
export function OptionField({ label, schema, value, conflict, refusal, onChange }: Props) {
  const { t } = useTexts()
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
  const hint = (
    <small id={`${id}-hint`} class={isBad ? 'bad' : ''}>
      {why || <bdi>{refusal ?? schema.description}</bdi>}
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
        {range && <small> {t('options.range', range)}</small>}
      </p>
      {schema.enum ? (
        <select
          value={value === undefined ? '' : String(value)}
          {...control}
          onChange={({ currentTarget }) => onChange(schema.enum!.find((one) => String(one) === currentTarget.value))}
        >
          <option value="">
            {usual === undefined ? t('options.usual') : t('options.default', { value: String(usual) })}
          </option>
          {schema.enum.map((one) => (
            <option key={one} value={String(one)}>
              {one}
            </option>
          ))}
        </select>
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
function rangeOf({ minimum, maximum, enum: values }: OptionSchema): { least: number; most: number } | undefined {
  if (values || minimum === undefined || maximum === undefined) return undefined
  return { least: minimum, most: maximum }
}
