import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Conversion } from '../../client/client.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button, IconButton } from './button.tsx'
import type { FormatTag } from './format-tag.tsx'
import { Icon } from './icon.tsx'

interface Props {
  conversions: readonly Conversion[]
  formats: State['formats']
  work: Work
  /** How long results are kept, in milliseconds. */
  retention: number
  /** Not imported: as a part of its own, it would be one more request of the first view. */
  tag: typeof FormatTag
}

/** Number of rows before the button that shows all. */
const FIRST = 8

/** Conversions from before this page was opened. Without any, it says that all files are deleted. */
export function History({ conversions, formats, work, retention, tag }: Props) {
  const { t, has } = useTexts()
  const [all, setAll] = useState(false)
  const [problem, setProblem] = useState('')
  const section = useRef<HTMLElement>(null)
  const shown = all ? conversions : conversions.slice(0, FIRST)
  const isEmpty = !conversions.length
  const deleteAll = () => {
    setProblem('')
    work.removeAll().then(
      // The button has gone; with new files in the list, the section too.
      () => section.current?.focus(),
      (error) => setProblem(t(work.problemKey(work.problemOf(error), has))),
    )
  }
  return (
    <section class="history" aria-labelledby="history-title" ref={section} tabIndex={-1}>
      <header>
        <h2 id="history-title">{t('history.title')}</h2>
        {!isEmpty && (
          <Confirm
            title={t('history.deleteAll')}
            hint={t('history.confirm')}
            onConfirm={deleteAll}
            button={(ask) => <Button onClick={ask}>{t('history.deleteAll')}</Button>}
          />
        )}
      </header>
      <div class="history-news" role="status">
        {isEmpty && <p>{t('history.emptied')}</p>}
        {problem && <Warning text={problem} />}
      </div>
      <ul class="rows" hidden={isEmpty}>
        {shown.map((conversion) => (
          <HistoryRow
            key={conversion.id}
            conversion={conversion}
            work={work}
            retention={retention}
            tag={tag}
            category={formats.get(conversion.toFormat)?.category}
          />
        ))}
      </ul>
      {shown.length < conversions.length && (
        <Button onClick={() => setAll(true)}>{t('history.show', { count: conversions.length })}</Button>
      )}
    </section>
  )
}

interface ConfirmProps {
  /** Names the dialog and the button that confirms. */
  title: string
  hint: string
  onConfirm: () => void
  /** Gets the function that asks. */
  button: (ask: () => void) => ComponentChildren
}

/** Asks before something is deleted at the service. */
function Confirm({ title, hint, onConfirm, button }: ConfirmProps) {
  const { t } = useTexts()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (asked) dialog.current!.showModal()
  }, [asked])
  return (
    <>
      {button(() => setAsked(true))}
      {asked && (
        <dialog ref={dialog} aria-labelledby={id} aria-describedby={`${id}-hint`} onClose={() => setAsked(false)}>
          <form method="dialog">
            <h2 id={id}>{title}</h2>
            <p id={`${id}-hint`}>{hint}</p>
            <Button type="submit">{t('row.cancel')}</Button>
            <Button type="submit" class="primary danger" onClick={onConfirm}>
              {title}
            </Button>
          </form>
        </dialog>
      )}
    </>
  )
}

const Warning = ({ text }: { text: string }) => (
  <p class="row-warning">
    <Icon name="warning" />
    <bdi>{text}</bdi>
  </p>
)

interface RowProps extends Pick<Props, 'work' | 'retention' | 'tag'> {
  conversion: Conversion
  category?: string
}

function HistoryRow({ conversion, category, work, retention, tag: Tag }: RowProps) {
  const { t, has, bytes, percent, ago, until } = useTexts()
  const [gone, setGone] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { id, status, fromFormat, toFormat, sourceSize, outputSize, progress, error } = conversion
  const pair = `${fromFormat.toUpperCase()} → ${toFormat.toUpperCase()}`
  const name = nameOf(conversion)
  const state = {
    completed: t('row.done', { before: bytes(sourceSize), after: bytes(outputSize ?? 0) }),
    failed: error && t(work.problemKey(error, has)),
    queued: t('row.queued'),
    processing: t('row.processing', { percent: percent(progress / 100) }),
  }[status]
  const expiry = Date.parse(conversion.completedAt ?? conversion.createdAt) + retention
  const download = () => {
    setProblem(undefined)
    work.download(conversion).catch((error) => setProblem(t(work.problemKey(work.problemOf(error), has))))
  }
  const reuse = () =>
    work.reuse(conversion).then(
      // The file is now in the list, above the history.
      () => window.scrollTo({ top: 0 }),
      () => setGone(true),
    )
  return (
    <li class="row" data-stage={status}>
      <Tag format={toFormat} category={category} />
      <div class="row-file">
        <p class="row-name" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p class="row-kind">
          <span>
            <bdi>{pair}</bdi>
          </span>
          <span>{state}</span>
          <span>{ago(Date.parse(conversion.createdAt))}</span>
          {status === 'completed' && <span>{t('history.until', { when: until(expiry) })}</span>}
        </p>
        <div role="status">
          {problem && <Warning text={problem} />}
          {gone && <Warning text={t('error.NOT_FOUND')} />}
        </div>
      </div>
      <div class="row-act">
        {(status === 'completed' || status === 'failed') && !gone && (
          <IconButton icon="again" label={t('row.againName', { name })} onClick={reuse} />
        )}
        {status === 'completed' && (
          <Button icon="download" aria-label={t('row.downloadName', { name })} onClick={download}>
            {t('row.download')}
          </Button>
        )}
      </div>
      <div class="row-end">
        <Confirm
          title={t('history.delete', { name })}
          hint={t('history.confirmOne')}
          onConfirm={() => work.forget(id)}
          button={(ask) => <IconButton icon="cross" label={t('history.delete', { name })} onClick={ask} />}
        />
      </div>
    </li>
  )
}

/** Returns the name of the result, as it is downloaded; until there is one, of the source. */
const nameOf = ({ outputFileId, name, fromFormat }: Conversion): string =>
  `${name}.${outputFileId?.split('.').at(-1) ?? fromFormat}`
