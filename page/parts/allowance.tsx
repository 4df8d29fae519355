import type { Facts } from '../state/facts.ts'
import { type Item, isArriving } from '../state/item.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'

interface Props {
  facts: Facts
  usage: State['usage']
  /** Undefined: there is no list yet. */
  files?: readonly Item[]
}

/** What is left today of conversions and of bytes; with files, only if that is less than they need. */
export function Allowance({ facts: { conversionsPerDay, bytesPerDay, signedIn }, usage, files }: Props) {
  const { t, bytes } = useTexts()
  if (!usage) return null
  const left = conversionsPerDay === null ? Infinity : Math.max(0, conversionsPerDay - usage.conversionsToday)
  const room = bytesPerDay === null ? Infinity : Math.max(0, bytesPerDay - usage.bytesToday)
  if (files) {
    const open = files.filter((item) => item.stage === 'ready' || isArriving(item))
    const fitting = countFitting(open, left, room)
    return fitting < open.length ? (
      <p class="allowance short">
        {t('left.fits', { left: fitting, count: open.length })} {signedIn && t('left.signIn', { count: signedIn })}
      </p>
    ) : null
  }
  const what = [left < Infinity && t('left.conversions', { count: left }), room < Infinity && bytes(room)]
  const said = what.filter(Boolean).join(' · ')
  return said ? <p class="allowance">{t('left.today', { what: said })}</p> : null
}

/** Counts the files that can be converted with so many conversions and bytes. */
function countFitting(files: readonly Item[], left: number, room: number): number {
  let rest = room
  let fitting = 0
  for (const { size } of files) {
    if (fitting === left || size > rest) continue
    rest -= size
    fitting++
  }
  return fitting
}
