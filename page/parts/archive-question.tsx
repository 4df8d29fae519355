import { useEffect } from 'preact/hooks'
import type { Item } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button } from './button.tsx'

/** Asks whether a dropped archive or the files in it are to be converted. */
export function ArchiveQuestion({ item, work }: { item: Item; work: Work }) {
  const { t, bytes } = useTexts()
  const { key, name, contents, opening = false } = item
  useEffect(() => void work.lookInto(key), [key, work])
  const refusal = contents && 'refusal' in contents ? contents.refusal : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with two buttons, not with fields
    <div class="question" role="group" aria-label={t('archive.question', { name })}>
      <p>
        {opening && t('archive.opening')}
        {!opening &&
          refusal &&
          t(`refused.${refusal === 'bomb' ? 'large' : refusal === 'unknown' ? 'damaged' : refusal}`)}
        {!opening && !refusal && t('archive.ask')}
        {contents && 'count' in contents && <small>{bytes(contents.bytes)}</small>}
      </p>
      {/* Both at once: a button that came later would move the other one. */}
      {contents && (
        <Button disabled={opening} onClick={() => work.keepArchive(key)}>
          {t('archive.keep')}
        </Button>
      )}
      {contents && 'count' in contents && (
        <Button class="primary" disabled={opening} onClick={() => void work.openArchive(key)}>
          {t('archive.open', { count: contents.count })}
        </Button>
      )}
    </div>
  )
}
