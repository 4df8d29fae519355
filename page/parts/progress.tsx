import type { Item } from '../state/item.ts'
import { type Texts, useTexts } from '../texts/texts.ts'

/** Progress of one file, as text and as a bar. */
export function Progress({ item }: { item: Item }) {
  const texts = useTexts()
  const share = shareOfStage(item)
  const words = wordsOf(item, share, texts)
  return (
    <div class="row-progress">
      <div
        class="bar"
        role="progressbar"
        aria-label={texts.t('row.progress', { name: item.name })}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={words}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <p>{words}</p>
    </div>
  )
}

/** Returns how much of the current stage is done, from 0 to 1, as the text says. The summary counts all stages. */
const shareOfStage = ({ stage, sent, size, conversion }: Item) =>
  stage === 'uploading' ? size && sent / size : stage === 'processing' ? (conversion?.progress ?? 0) / 100 : 0

/** Returns the text for a file's stage, of which this share is done. */
function wordsOf({ stage, sent, size, conversion }: Item, share: number, { t, percent, bytes }: Texts): string {
  switch (stage) {
    case 'uploading':
      return sent < size
        ? `${t('row.uploading', { percent: percent(share) })} · ${bytes(sent)} / ${bytes(size)}`
        : t('row.recognising')
    case 'lined':
    case 'starting':
      return t('row.lined')
    case 'queued':
      return conversion?.queuePosition ? t('row.place', { place: conversion.queuePosition }) : t('row.queued')
    case 'processing':
      return t('row.processing', { percent: percent(share) })
    default:
      return t('row.waiting')
  }
}
