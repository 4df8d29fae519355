import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { codeOf } from './target-name.ts'

/** Icons of the categories. */
const ICONS: Readonly<Record<string, IconName>> = {
  image: 'image',
  document: 'document',
  video: 'video',
  audio: 'audio',
  archive: 'archive',
  vector: 'vector',
  cad: 'model',
  ebook: 'book',
}

interface Props {
  format: string
  category?: string
  /** Shown above it. */
  children?: ComponentChildren
}

/** A file's format with the icon and the colour of its category. */
export const FormatTag = ({ format, category = 'none', children }: Props) => (
  <span class="tag" data-category={category} aria-hidden="true">
    {ICONS[category] && <Icon name={ICONS[category]} />}
    <span>{codeOf(format)}</span>
    {children}
  </span>
)
