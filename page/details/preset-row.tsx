import type { Options, OptionsSchema } from '../../client/client.ts'
import type { Item } from '../state/item.ts'
import { useDetails } from './detail-texts.ts'
import { useExpectedSize } from './expected-size.ts'
import { isSame, presetsOf } from './option-choices.ts'

interface Props {
  item: Item
  schema: OptionsSchema
  onChoose: (options: Options) => void
}

/** The presets of a target in one row, with the expected size of the result where it can be known. */
export function PresetRow({ item, schema, onChoose }: Props) {
  const { t, has, bytes } = useDetails()
  const presets = presetsOf(schema, item)
  const sizeOf = useExpectedSize(item, schema, [...presets.map(({ options }) => options), item.options])
  if (!presets.length) return null
  const isOwn = !presets.some(({ options }) => isSame(options, item.options))
  const about = (options: Options) => {
    const size = sizeOf(options)
    return size && <small>{t('preset.about', { size: bytes(size) })}</small>
  }
  return (
    <div class="presets-row">
      {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields */}
      <div class="presets" role="group" aria-label={t('preset.label')}>
        {presets.map(({ name, title, options }) => {
          const key = `preset.${name}`
          return (
            <button
              key={name}
              type="button"
              class="preset"
              aria-pressed={isSame(options, item.options)}
              onClick={() => onChoose(options)}
            >
              {has(key) ? t(key) : title}
              {about(options)}
            </button>
          )
        })}
      </div>
      {/* What the fields below it say. Its line is always free, so that they keep their place. */}
      <p class="expected">{isOwn && about(item.options)}</p>
    </div>
  )
}
