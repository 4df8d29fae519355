import { useTexts } from '../texts/texts.ts'

interface Props {
  /** Bytes. */
  before: number
  after: number
}

/** Sizes before and after, and the difference. */
export function Sizes({ before, after }: Props) {
  const { t, bytes, percent } = useTexts()
  const share = before ? Math.abs(before - after) / before : 0
  const times = before ? after / before : 0
  const key = share < 0.005 ? 'row.same' : after < before ? 'row.smaller' : 'row.larger'
  const factor = times < 10 ? Math.round(times * 10) / 10 : Math.round(times)
  return (
    <p class="sizes">
      <span>{t('row.done', { before: bytes(before), after: bytes(after) })}</span>
      <small data-saved={after < before}>
        {times > 2 ? t('row.times', { times: factor }) : t(key, { share: percent(share) })}
      </small>
    </p>
  )
}
