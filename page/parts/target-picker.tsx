import type { Item } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { formatOf, SAME, wantedTargets } from '../state/wanted.ts'
import { useTexts } from '../texts/texts.ts'
import { TargetField } from './target-field.tsx'

interface Props {
  item: Item
  formats: State['formats']
  onChange: (target: string) => void
  onOptions: () => void
}

/** The target format of a file. */
export function TargetPicker({ item, formats, onChange, onOptions }: Props) {
  const { t } = useTexts()
  const { file, suggestions } = item.upload!
  const { targets = suggestions, category = '' } = formats.get(file.format) ?? {}
  return (
    <div class="target">
      <span class="target-to" aria-hidden="true">
        {t('target.to')}
      </span>
      <TargetField
        label={t('target.label', { name: item.name })}
        {...(item.to && { value: item.to })}
        source={file.format}
        formats={formats}
        targets={targets.map((to) => (to === file.format ? SAME : to))}
        wanted={wantedTargets(formats, file.format, suggestions)}
        category={category}
        onChange={(to) => onChange(formatOf(to, file.format))}
        onOptions={onOptions}
      />
    </div>
  )
}
