import type { Options, OptionsSchema } from '../../client/client.ts'
import type { Item } from '../state/item.ts'
import { useDetails } from './detail-texts.ts'
import { useDuration } from './duration.ts'
import { isSame, presetsOf, sizeOf } from './option-choices.ts'

interface Props {
  item: Item
  schema: OptionsSchema
  onChoose: (options: Options) => void
}

/** The presets of a target in one row, with the expected size of the result where it can be known. */
export function PresetRow({ item, schema, onChoose }: Props) {
  const { t, has, bytes } = useDetails()
  const seconds = useDuration(item.file, schema.properties.bitrate !== undefined)
  const presets = presetsOf(schema, item.to === item.upload!.file.format)
  if (!presets.length) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields
    <div class="presets" role="group" aria-label={t('preset.label')}>
      {presets.map(({ name, title, options }) => {
        const key = `preset.${name}`
        const size = sizeOf(options, schema, seconds)
        return (
          <button
            key={name}
            type="button"
            class="preset"
            aria-pressed={isSame(options, item.options)}
            onClick={() => onChoose(options)}
          >
            {has(key) ? t(key) : title}
            {size && <small>{t('preset.about', { size: bytes(size) })}</small>}
          </button>
        )
      })}
    </div>
  )
}
