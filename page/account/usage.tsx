import type { Account } from '../state/reducer.ts'
import type { AccountTexts } from './account-texts.ts'

/** What was used today, and the limits of the plan. */
export function Usage({ account: { usage, limits }, texts }: { account: Account; texts: AccountTexts }) {
  const { t, bytes, number } = texts
  const rows = [
    { label: t('usage.conversions'), used: usage.conversionsToday, limit: limits.conversionsPerDay, show: number },
    { label: t('usage.bytes'), used: usage.bytesToday, limit: limits.bytesPerDay, show: bytes },
    { label: t('usage.stored'), used: usage.storedBytes, limit: limits.storedBytes, show: bytes },
  ]
  return (
    <section class="card" aria-labelledby="usage-title">
      <h2 id="usage-title">{t('usage.title')}</h2>
      <dl class="usage">
        {rows.map(({ label, used, limit, show }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {limit === null ? show(used) : t('usage.of', { used: show(used), limit: show(limit) })}
              {limit !== null && <meter min={0} max={Math.max(1, limit)} value={used} aria-label={label} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
