import { codeOf } from '../parts/target-name.ts'
import { SAME } from '../state/wanted.ts'
import { useTexts } from '../texts/texts.ts'
import { purposeOf } from './names.ts'
import type { Words } from './words.ts'

/** In place of the targets that few people know: it shows them. */
export const MORE = 'more…'

/** One line of the list. */
interface Line {
  /** Id of its group. */
  group: string
  targets: readonly string[]
}

interface Props {
  id: string
  label: string
  lines: readonly Line[]
  /** Number of all targets. */
  total: number
  active: string | undefined
  value: string | undefined
  source: string | undefined
  words: Words
  onChoose: (target: string) => void
}

/** The targets in two columns, by name and purpose: the ARIA grid pattern. The field of the search has the focus. */
export function Grid({ id, label, lines, total, active, value, source, words, onChoose }: Props) {
  const { t, has } = useTexts()
  const titleOf = (group: string) =>
    group === 'wanted'
      ? t('ways.title')
      : group === 'found'
        ? t('target.search')
        : group === 'more'
          ? t('target.more')
          : has(`group.${group}`)
            ? t(`group.${group}` as never)
            : group
  const cellOf = (target: string) => {
    if (target === MORE) return <strong>{t('target.all', { count: total })}</strong>
    const purpose = target === SAME ? source && t('target.stays', { format: codeOf(source) }) : purposeOf(target, words)
    return (
      <>
        <strong>{target === SAME ? t('wanted.same') : codeOf(target)}</strong>
        {purpose && <span>{purpose}</span>}
      </>
    )
  }
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: a grid of choices, not a table
    // biome-ignore-start lint/a11y/useFocusableInteractive: the field has the focus
    // biome-ignore-start lint/a11y/useKeyWithClickEvents: the dialog takes the keys
    <div id={`${id}-grid`} class="picker-grid" role="grid" aria-label={label} hidden={!lines.length}>
      {[...Map.groupBy(lines, ({ group }) => group)].map(([group, own]) => (
        <div key={group} role="rowgroup" aria-label={titleOf(group)}>
          {group !== 'found' && !own[0]!.targets.includes(MORE) && (
            <p class="group-title" aria-hidden="true">
              {titleOf(group)}
            </p>
          )}
          {own.map(({ targets }) => (
            <div key={targets[0]} role="row" class={targets.includes(MORE) ? 'line whole' : 'line'}>
              {targets.map((target) => (
                <div
                  key={target}
                  id={`${id}-${target}`}
                  role="gridcell"
                  class="choice"
                  aria-selected={target === active}
                  aria-current={target === value || undefined}
                  onClick={() => onChoose(target)}
                >
                  {cellOf(target)}
                </div>
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
    // biome-ignore-end lint/a11y/useKeyWithClickEvents: as above
    // biome-ignore-end lint/a11y/useFocusableInteractive: as above
    // biome-ignore-end lint/a11y/useSemanticElements: as above
  )
}
