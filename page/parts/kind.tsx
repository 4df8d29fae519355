import type { Item } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'
import { codeOf } from './target-name.ts'

interface Props {
  item: Item
  formats: State['formats']
}

/** Formats in which cameras write. */
const PHOTOS = ['jpg', 'heic']

/** Format and size of a file. */
export function Kind({ item: { upload, size } }: Pick<Props, 'item'>) {
  const { t, has, bytes } = useTexts()
  const format = upload?.file.format ?? ''
  const category = `category.${PHOTOS.includes(format) ? 'photo' : upload?.file.category}`
  return (
    <p class="row-kind">
      {format && (
        <span>
          {t('row.is', {
            format: codeOf(format),
            category: has(category) ? t(category) : upload!.file.category,
          })}
        </span>
      )}
      {size > 0 && <span>{bytes(size)}</span>}
    </p>
  )
}

/** A warning if a file's name has the extension of another format. */
export function Mismatch({ item: { upload, name }, formats }: Props) {
  const { t } = useTexts()
  const format = upload?.file.format ?? ''
  const named = mismatch(name, format, formats)
  if (!named) return null
  return (
    <p class="row-warning">
      <Icon name="warning" />
      {t('row.mismatch', { format: format.toUpperCase(), named: named.toUpperCase() })}
    </p>
  )
}

/** Returns the extension of a name if it means another known format than the content has. */
function mismatch(name: string, format: string, formats: State['formats']): string | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  if (!extension || !format) return undefined
  const meant = [...formats.values()].find((one) => one.extension === extension || one.aliases.includes(extension))
  return meant && meant.extension !== format && !format.endsWith(`.${extension}`) ? extension : undefined
}
