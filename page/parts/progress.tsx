import type { Item } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'

/** Progress of one file, as text and as a bar. */
export function Progress({ item }: { item: Item }) {
  const { t } = useTexts()
  const words = useStageWords()(item)
  const share = shareOfStage(item)
  return (
    <div class="row-progress">
      <div
        class="bar"
        role="progressbar"
        aria-label={t('row.progress', { name: item.name })}
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

/** Returns the text for a file's stage. */
function useStageWords() {
  const { t, percent, bytes } = useTexts()
  return ({ stage, sent, size, conversion }: Item): string => {
    switch (stage) {
      case 'uploading':
        if (size > 0 && sent < size) {
          return `${t('row.uploading', { percent: percent(sent / size) })} · ${bytes(sent)} / ${bytes(size)}`
        }
        return t('row.recognising')
      case 'lined':
      case 'starting':
        return t('row.lined')
      case 'queued':
        return conversion?.queuePosition ? t('row.place', { place: conversion.queuePosition }) : t('row.queued')
      case 'processing':
        return t('row.processing', { percent: percent((conversion?.progress ?? 0) / 100) })
      default:
        return t('row.waiting')
    }
  }
}
