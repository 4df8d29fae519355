import type { Facts } from '../state/facts.ts'
import type { Item } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'

interface Props {
  facts: Facts
  usage: State['usage']
  /** Files that could be started now. */
  ready?: readonly Item[]
}

/** What is left today of conversions and of bytes, and a warning if that is less than the files in the list need. */
export function Allowance({ facts: { conversionsPerDay, bytesPerDay }, usage, ready = [] }: Props) {
  const { t, bytes } = useTexts()
  if (!usage) return null
  const left = conversionsPerDay === null ? Infinity : Math.max(0, conversionsPerDay - usage.conversionsToday)
  const room = bytesPerDay === null ? Infinity : Math.max(0, bytesPerDay - usage.bytesToday)
  const needed = ready.reduce((sum, { size }) => sum + size, 0)
  const what = [left < Infinity && t('left.conversions', { count: left }), room < Infinity && bytes(room)].filter(
    Boolean,
  )
  return what.length ? (
    <p class={left < ready.length || room < needed ? 'allowance short' : 'allowance'}>
      {t('left.today', { what: what.join(' · ') })}
    </p>
  ) : null
}
