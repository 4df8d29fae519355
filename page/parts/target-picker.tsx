import type { Item } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import { FormatCombobox } from './format-combobox.tsx'

interface Props {
  item: Item
  formats: State['formats']
  onChange: (target: string) => void
}

/** The target format of a file. */
export function TargetPicker({ item, formats, onChange }: Props) {
  const { t } = useTexts()
  const { file, suggestions } = item.upload!
  const { targets = [], category = '' } = formats.get(file.format) ?? {}
  return (
    <div class="target">
      <span class="target-to" aria-hidden="true">
        {t('target.to')}
      </span>
      <FormatCombobox
        label={t('target.label', { name: item.name })}
        value={item.to ?? ''}
        formats={formats}
        onChange={onChange}
        targets={targets.length ? targets : suggestions}
        suggestions={suggestions}
        category={category}
        source={file.format}
      />
    </div>
  )
}
