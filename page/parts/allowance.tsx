import type { Facts } from '../state/facts.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'

interface Props {
  facts: Facts
  usage: State['usage']
  /** Files that could be started now. */
  ready?: number
}

/** How many conversions are left today, and a warning if that is fewer than the files in the list. */
export function Allowance({ facts: { conversionsPerDay, filesPerBatch }, usage, ready = 0 }: Props) {
  const { t } = useTexts()
  const left = usage && conversionsPerDay !== null ? Math.max(0, conversionsPerDay - usage.conversionsToday) : undefined
  const parts = filesPerBatch !== null && ready > filesPerBatch
  if (left === undefined && !parts) return null
  return (
    <p class={left !== undefined && left < ready ? 'allowance short' : 'allowance'}>
      {left !== undefined && t('left.today', { count: left })} {parts && t('left.batch', { count: filesPerBatch })}
    </p>
  )
}
