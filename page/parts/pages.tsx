import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'

/** A part of the report of a conversion. */
interface Report {
  report: { source: { pages?: number }; result?: { pages?: number } }
}

/** Says that a result is a ZIP, and of how many pages once the service has said it. @param id Of the conversion. */
export function Pages({ id, work }: { id: string; work: Work }) {
  const { t } = useTexts()
  const [count, setCount] = useState(0)
  useEffect(() => {
    const report = work.client.request<Report>('GET', `api/conversions/${id}/report`)
    // Without it, the page does not say how many.
    report.then(
      ({ report: { source, result } }) => setCount(result?.pages ?? source.pages ?? 0),
      () => {},
    )
  }, [id])
  return <p class="sizes words">{count > 1 ? t('row.pages', { count }) : t('row.zip')}</p>
}
