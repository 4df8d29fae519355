import { useEffect, useState } from 'preact/hooks'
import { useDetails } from '../details/detail-texts.ts'
import { codeOf } from '../parts/target-name.ts'
import type { Item } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Beside } from './beside.tsx'
import type { Shown } from './kinds.ts'
import { Pictures } from './pictures.tsx'

interface Props {
  id: string
  item: Item
  work: Work
  kind: Shown
  /** How the source is shown; undefined if browsers do not show its format. */
  sourceKind: Shown | undefined
}

/** A file before and after its conversion. Only the result is fetched; the source is the local file. */
export function Compare({ id, item, work, kind, sourceKind }: Props) {
  const page = useTexts()
  const { t } = useDetails()
  const { name, file, upload, conversion } = item
  const [result, setResult] = useState<string>()
  const [unshown, setUnshown] = useState(false)
  const [failed, setFailed] = useState(false)
  const onFailed = () => setFailed(true)
  useEffect(() => void work.link(conversion!).then(setResult, onFailed), [conversion, work])

  const { format, category } = upload!.file
  // A browser may show more pictures than we know of.
  const mayShow = sourceKind !== undefined || (kind === 'image' && category === 'image')
  const source = mayShow && !unshown ? file : undefined
  const View = kind === 'image' && (sourceKind ?? 'image') === 'image' ? Pictures : Beside
  return (
    <section id={id} class="compare" aria-label={t('compare.title', { name })}>
      {failed && (
        <p class="hint" role="status">
          {page.t('compare.failed')}
        </p>
      )}
      {!failed && file && !source && <p class="hint">{t('compare.unshown', { format: codeOf(format) })}</p>}
      {result && !failed && (
        <View
          source={source}
          result={result}
          kind={kind}
          sourceKind={sourceKind}
          onFailed={onFailed}
          onUnshown={() => setUnshown(true)}
        />
      )}
    </section>
  )
}
