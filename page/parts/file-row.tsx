import { useMemo, useState } from 'preact/hooks'
import type { Conversion } from '../../client/client.ts'
import { shownAs } from '../compare/kinds.ts'
import type { Facts } from '../state/facts.ts'
import { canRetry, type Item, isBusy, isOpen } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { askedTargets, formatOf } from '../state/wanted.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button, IconButton } from './button.tsx'
import { FormatTag } from './format-tag.tsx'
import { Kind, Mismatch } from './kind.tsx'
import { lazy } from './lazy.tsx'
import { ProblemNote } from './problem-note.tsx'
import { Progress } from './progress.tsx'
import { Result } from './result.tsx'
import { TargetPicker } from './target-picker.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { WantedTargets } from './wanted-targets.tsx'

const ArchiveQuestion = lazy(async () => (await import('./archive-question.tsx')).ArchiveQuestion)
const OptionsPanel = lazy(async () => (await import('../details/options-panel.tsx')).OptionsPanel)
const Compare = lazy(async () => (await import('../compare/compare.tsx')).Compare)

interface Props {
  item: Item
  state: State
  work: Work
  facts: Facts
}

/** One file of the list, from its upload to its result. */
export function FileRow({ item, state, work, facts }: Props) {
  const texts = useTexts()
  const { t } = texts
  const [open, setOpen] = useState(false)
  const [comparing, setComparing] = useState(false)
  const { key, name, folder, stage, upload, problem } = item
  const busy = isBusy(item)
  const changeable = isOpen(item)
  const asked = changeable && !item.to ? askedTargets(state.formats, upload!.file.format) : []
  const panel = `options-${key}`
  const comparison = `compare-${key}`
  const file = item.file && /^(image|video)\/|\/pdf$/.test(item.file.type) ? item.file : undefined
  const result = stage === 'done' && isPicture(item.conversion!) ? item.conversion : undefined
  // Another row of a long list changes many times a second. This one is then left as it is.
  const content = useMemo(
    () => (
      <>
        <FormatTag
          format={upload?.file.format ?? extensionOf(name)}
          category={stage === 'asked' ? 'archive' : upload?.file.category}
        >
          {(file || result) && <Thumbnail file={file} result={result} work={work} />}
        </FormatTag>
        <div class="row-file">
          <p class="row-name" title={name}>
            <bdi>
              {folder && <span class="folder">{folder}/</span>}
              {name}
            </bdi>
          </p>
          <Kind item={item} />
        </div>
        <div class="row-act">
          {/* Takes the place of the picker: the row keeps its height, so no button below it moves. */}
          {busy && <Progress item={item} />}
          {changeable && (
            <>
              {asked.length > 0 && (
                <WantedTargets
                  label={t('target.label', { name })}
                  targets={asked}
                  onChoose={(to) => void work.setTarget(key, formatOf(to, upload!.file.format))}
                />
              )}
              <TargetPicker
                item={item}
                formats={state.formats}
                onChange={(to) => void work.setTarget(key, to)}
                onOptions={() => setOpen(true)}
              />
              <IconButton
                icon="options"
                label={t('options.openName', { name })}
                title={t('options.open')}
                aria-expanded={open}
                aria-controls={panel}
                onClick={() => setOpen(!open)}
              />
            </>
          )}
          {canRetry(item) && (
            <Button icon="retry" aria-label={t('row.retryName', { name })} onClick={() => work.retry(key)}>
              {t('row.retry')}
            </Button>
          )}
          {stage === 'done' && (
            <Result
              item={item}
              work={work}
              category={state.formats.get(item.conversion!.toFormat)?.category}
              comparing={comparing}
              comparison={comparison}
              onCompare={() => setComparing(!comparing)}
            />
          )}
        </div>
        <div class="row-end">
          {/* Cancelling and removing share a button that never moves. */}
          <IconButton
            icon="cross"
            label={t(busy ? 'row.cancelName' : 'row.remove', { name })}
            onClick={() => (busy ? work.cancel(key) : work.clear([key]))}
          />
        </div>
        <Mismatch item={item} formats={state.formats} />
        {stage === 'asked' && <ArchiveQuestion item={item} work={work} />}
        {stage === 'done' && comparing && (
          <Compare
            id={comparison}
            item={item}
            work={work}
            kind={shownAs(item.conversion!.toFormat)!}
            sourceKind={shownAs(upload!.file.format)}
          />
        )}
        {problem && (
          <ProblemNote problem={problem} size={item.size} uploaded={!!upload} maxFileSize={facts.maxFileSize} />
        )}
      </>
    ),
    [item, state.formats, work, texts, facts.maxFileSize, open, comparing],
  )
  return (
    <li class="row" data-stage={stage}>
      {content}
      {changeable && open && <OptionsPanel id={panel} item={item} state={state} work={work} />}
    </li>
  )
}

/** Whether a result is one picture that browsers can show. */
const isPicture = ({ toFormat, outputFileId }: Conversion) =>
  shownAs(toFormat) === 'image' && !outputFileId?.endsWith('.zip')

const extensionOf = (name: string) => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '?'
