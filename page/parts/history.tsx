import { useState } from 'preact/hooks'
import type { Conversion } from '../../client/client.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { FormatTag } from './format-tag.tsx'
import { Icon, IconButton } from './icon.tsx'

interface Props {
  conversions: readonly Conversion[]
  formats: State['formats']
  work: Work
  /** How long results are kept, in milliseconds. */
  retention: number
}

/** Number of rows before the button that shows all. */
const FIRST = 8

/** Conversions from before this page was opened. */
export function History({ conversions, formats, work, retention }: Props) {
  const { t } = useTexts()
  const [all, setAll] = useState(false)
  const shown = all ? conversions : conversions.slice(0, FIRST)
  return (
    <section class="history" aria-labelledby="history-title">
      <h2 id="history-title">{t('history.title')}</h2>
      <ul class="rows">
        {shown.map((conversion) => (
          <HistoryRow
            {...{ key: conversion.id, conversion, work, retention }}
            category={formats.get(conversion.toFormat)?.category}
          />
        ))}
      </ul>
      {shown.length < conversions.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {t('history.show', { count: conversions.length })}
        </button>
      )}
    </section>
  )
}

interface RowProps extends Pick<Props, 'work' | 'retention'> {
  conversion: Conversion
  category?: string
}

function HistoryRow({ conversion, category, work, retention }: RowProps) {
  const { t, bytes, percent, ago, until } = useTexts()
  const [gone, setGone] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { id, status, fromFormat, toFormat, sourceSize, outputSize, progress, error } = conversion
  const pair = `${fromFormat.toUpperCase()} → ${toFormat.toUpperCase()}`
  const name = nameOf(conversion)
  const state = {
    completed: t('row.done', { before: bytes(sourceSize), after: bytes(outputSize ?? 0) }),
    failed: <bdi>{error?.message}</bdi>,
    queued: t('row.queued'),
    processing: t('row.processing', { percent: percent(progress / 100) }),
  }[status]
  const expiry = Date.parse(conversion.completedAt ?? conversion.createdAt) + retention
  const download = () => {
    setProblem(undefined)
    work.download(conversion).catch((error) => setProblem(work.problemOf(error).message))
  }
  const reuse = () =>
    work.reuse(conversion).then(
      // The file is now in the list, above the history.
      () => window.scrollTo({ top: 0 }),
      () => setGone(true),
    )
  return (
    <li class="row" data-stage={status}>
      <FormatTag format={toFormat} category={category} />
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
        {problem && (
          <p class="row-warning" role="status">
            <Icon name="warning" />
            <bdi>{problem}.</bdi>
          </p>
        )}
        {gone && (
          <p class="row-warning" role="status">
            <Icon name="warning" />
            {t('history.gone')}
          </p>
        )}
      </div>
      <div class="row-act">
        {(status === 'completed' || status === 'failed') && !gone && (
          <IconButton icon="again" label={t('row.againName', { name })} onClick={reuse} />
        )}
        {status === 'completed' && (
          <button type="button" class="quiet" aria-label={t('row.downloadName', { name })} onClick={download}>
            <Icon name="download" />
            <span>{t('row.download')}</span>
          </button>
        )}
      </div>
      <div class="row-end">
        <IconButton icon="cross" label={t('history.delete', { name })} onClick={() => work.forget(id)} />
      </div>
    </li>
  )
}

/** Returns the name of the result, which is the last part of its key at the service; until there is one, of the source. */
const nameOf = ({ outputFileId, name, fromFormat }: Conversion): string =>
  outputFileId?.split('/').at(-1) ?? `${name}.${fromFormat}`
