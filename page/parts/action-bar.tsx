import { useState } from 'preact/hooks'
import type { Facts } from '../state/facts.ts'
import { canRetry, canStart, isArriving, isSized, isUnderWay } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { SAME } from '../state/wanted.ts'
import { useTexts } from '../texts/texts.ts'
import { askedOfAll, commonTargets } from '../work/bulk.ts'
import type { Work } from '../work/work.ts'
import { Allowance } from './allowance.tsx'
import { Button, IconButton } from './button.tsx'
import { isTouched } from './is-touched.ts'
import { Sizes } from './sizes.tsx'
import { TargetField } from './target-field.tsx'
import { targetName } from './target-name.ts'
import { TellMe } from './tell-me.tsx'
import { WantedTargets } from './wanted-targets.tsx'

/** Actions for all files, fixed at the lower edge of the window. */
export function ActionBar({ state, work, facts }: { state: State; work: Work; facts: Facts }) {
  const texts = useTexts()
  const { t } = texts
  const { items, formats, notice } = state
  const open = items.filter(canStart)
  const done = items.filter(({ stage }) => stage === 'done').length
  // Files that are still being uploaded start by themselves afterwards.
  const startable = open.length + items.filter((item) => isArriving(item) && !item.armed).length
  const working = items.filter((item) => isUnderWay(item) || (item.armed && isArriving(item))).length
  // In a narrow window, the less used actions are behind a button.
  const [more, setMore] = useState(false)
  const common = commonTargets(state)
  const asked = askedOfAll(state)
  const many = items.length > 1
  const failed = items.filter(canRetry).length
  const total = many && !working && !startable ? sumOf(state) : undefined
  const setAll = (to: string) => {
    void work.setAll(to, (count, skipped) => {
      const set = to === SAME ? t('bar.smaller', { count }) : t('bar.set', { count, format: targetName(texts, to) })
      const names = skipped.slice(0, 3).map(({ name }) => name)
      const rest = skipped.length > names.length ? ', …' : ''
      return skipped.length
        ? `${set} ${t('bar.skipped', { count: skipped.length, names: names.join(', ') + rest })}`
        : set
    })
  }
  return (
    <div class="actions">
      <Notice notice={notice} work={work} />
      <div class="actions-row" tabIndex={-1}>
        <Allowance facts={facts} usage={state.usage} files={items} />
        <div class="all">
          {asked.length > 0 && <WantedTargets label={t('bar.setAll')} targets={asked} onChoose={setAll} />}
          {many && common.targets.length > 0 && (
            <div class="target">
              <span class="target-to" aria-hidden="true">
                {t('bar.setAll')}
              </span>
              <TargetField label={t('bar.setAll')} {...common} formats={formats} onChange={setAll} />
            </div>
          )}
        </div>
        <TellMe working={working > 0} />
        <div class="main-action">
          {startable > 0 ? (
            <Button class="primary large" onClick={once(work.startAll)}>
              {t('bar.convert', { count: startable })}
            </Button>
          ) : working > 0 ? (
            <p class="working">{t('bar.converting', { done, total: done + working })}</p>
          ) : (
            done > 1 && <DownloadAll class="primary large" work={work} />
          )}
        </div>
        <div class="second-action">
          {working > 0 ? (
            <Button icon="cross" class="quiet stop" aria-label={t('bar.stop')} onClick={once(work.stop)}>
              {t('bar.stop')}
            </Button>
          ) : (
            done > 1 && startable > 0 && <DownloadAll class="quiet" work={work} />
          )}
        </div>
        <div class="actions-count">
          <p>
            {t('bar.summary', { count: items.length })}
            {done > 0 && many && <small>{t('bar.done', { count: done, total: items.length })}</small>}
          </p>
          {total && <Sizes {...total} />}
        </div>
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
        <div id="more" class={`more-actions${many ? ' many' : ''}${more ? ' open' : ''}`}>
          {failed > 1 && (
            <Button icon="retry" onClick={once(work.retryAll)}>
              {t('bar.retry', { count: failed })}
            </Button>
          )}
          {done > 0 && canShare() && (
            <Button icon="share" onClick={once(() => void work.share())}>
              {t('bar.share')}
            </Button>
          )}
          <Button onClick={once(() => work.clear(items.map(({ key }) => key)))}>{t('bar.clear')}</Button>
        </div>
      </div>
    </div>
  )
}

/** What the last action on several files has done, and the button that undoes it. */
export function Notice({ notice, work }: { notice: State['notice']; work: Work }) {
  const { t, has } = useTexts()
  return (
    <div class="notice" role="status">
      {notice && (
        <>
          <p>{has(notice.text) ? t(notice.text) : notice.text}</p>
          {notice.undo && <Button onClick={() => work.undo()}>{t('bar.undo')}</Button>}
        </>
      )}
    </div>
  )
}

/** Returns the sizes of all results together; undefined if they cannot be compared. */
function sumOf({ items, formats }: State): { before: number; after: number } | undefined {
  const done = items.filter(({ stage }) => stage === 'done')
  const category = (to: string) => formats.get(to)?.category
  if (done.length < 2 || !done.every((item) => isSized(item, category(item.conversion!.toFormat)))) return undefined
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0)
  return {
    before: sum(done.map(({ size }) => size)),
    after: sum(done.map(({ conversion }) => conversion!.outputSize ?? 0)),
  }
}

/** Whether the device can hand files to other apps. On computers, people save them instead. */
const canShare = () => isTouched() && 'share' in navigator

/** Ignores the second click of a double click, which can hit what has replaced a button. */
const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}

const DownloadAll = ({ class: kind, work }: { class: string; work: Work }) => {
  const { t } = useTexts()
  return (
    <Button icon="download" class={kind} onClick={once(() => void work.downloadAll())}>
      {t('bar.downloadAll')}
    </Button>
  )
}
