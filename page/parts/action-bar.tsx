import { useState } from 'preact/hooks'
import type { Facts } from '../state/facts.ts'
import { canStart, isUnderWay } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import { commonTargets } from '../work/bulk.ts'
import type { Work } from '../work/work.ts'
import { Allowance } from './allowance.tsx'
import { Button, IconButton } from './button.tsx'
import { FormatCombobox } from './format-combobox.tsx'

/** Actions for all files, fixed at the lower edge of the window. */
export function ActionBar({ state, work, facts }: { state: State; work: Work; facts: Facts }) {
  const { t, has } = useTexts()
  const { items, formats, notice } = state
  const open = items.filter(canStart)
  const ready = open.length
  const done = items.filter(({ stage }) => stage === 'done').length
  // In a narrow window, the less used actions are behind a button.
  const [more, setMore] = useState(false)
  const common = commonTargets(state)
  const many = items.length > 1 && common.targets.length > 0
  const setAll = (to: string) => {
    setMore(false)
    work.setAll(to, (count, skipped) => {
      const set = t('bar.set', { count, format: to.toUpperCase() })
      const names = skipped.slice(0, 3).map(({ name }) => name)
      const rest = skipped.length > names.length ? ', …' : ''
      return skipped.length
        ? `${set} ${t('bar.skipped', { count: skipped.length, names: names.join(', ') + rest })}`
        : set
    })
  }
  return (
    <div class="actions">
      <div class="notice" role="status">
        {notice && (
          <>
            <p>{has(notice.text) ? t(notice.text) : notice.text}</p>
            {notice.undo && <Button onClick={() => work.undo()}>{t('bar.undo')}</Button>}
          </>
        )}
      </div>
      <div class="actions-row" tabIndex={-1}>
        {ready > 0 && <Allowance facts={facts} usage={state.usage} ready={open} />}
        <p class="actions-count">
          {t('bar.summary', { count: items.length })}
          {done > 0 && items.length > 1 && <small>{t('bar.done', { count: done, total: items.length })}</small>}
        </p>
        {many && (
          <IconButton
            icon="more"
            class="quiet square more"
            label={t('bar.more')}
            aria-expanded={more}
            aria-controls="more"
            onClick={() => setMore(!more)}
          />
        )}
        <div id="more" class={more ? 'more-actions open' : 'more-actions'}>
          {many && (
            <div class="target">
              <span class="target-to" aria-hidden="true">
                {t('bar.setAll')}
              </span>
              <FormatCombobox label={t('bar.setAll')} value="" {...common} formats={formats} onChange={setAll} />
            </div>
          )}
          <Button onClick={() => work.remove(items.map(({ key }) => key))}>{t('bar.clear')}</Button>
        </div>
        {done > 1 && !items.some(isUnderWay) && (
          <Button icon="download" class={ready > 0 ? 'quiet' : 'primary large'} onClick={() => void work.downloadAll()}>
            {t('bar.downloadAll')}
          </Button>
        )}
        {ready > 0 && (
          <Button class="primary large" onClick={() => work.startAll()}>
            {t('bar.convert', { count: ready })}
          </Button>
        )}
      </div>
    </div>
  )
}
