import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { codeOf } from './target-name.ts'

/** Icons of the categories. */
export const ICONS: Readonly<Record<string, IconName>> = {
  image: 'image',
  document: 'document',
  video: 'video',
  audio: 'audio',
  archive: 'archive',
  vector: 'vector',
  cad: 'model',
  ebook: 'book',
  subtitle: 'subtitle',
  font: 'font',
}

/** Documents that people tell apart: tables, slides, pages. */
const DOCUMENTS: readonly (readonly [RegExp, IconName])[] = [
  [/^(xls|ods|csv|tsv|numbers)/, 'table'],
  [/^(ppt|odp|key$)/, 'slides'],
  [/pdf$/, 'pages'],
]

const iconOf = (format: string, category: string): IconName =>
  DOCUMENTS.find(([pattern]) => pattern.test(format))?.[1] ?? ICONS[category] ?? 'file'

interface Props {
  format: string
  category?: string
  /** Shown above it. */
  children?: ComponentChildren
}

/** A file's format with the icon and the colour of its category. */
export const FormatTag = ({ format, category = 'none', children }: Props) => (
  <span class="tag" data-category={category} aria-hidden="true">
    <Icon name={iconOf(format, category)} />
    <span>{codeOf(format)}</span>
    {children}
  </span>
)
