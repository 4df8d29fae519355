import type { Conversion } from '../../client/client.ts'
import { shownAs } from '../compare/kinds.ts'
import type { Item } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button, IconButton } from './button.tsx'
import { codeOf } from './target-name.ts'

interface Props {
  item: Item
  work: Work
  /** Whether the comparison with this id is shown. */
  comparing: boolean
  comparison: string
  onCompare: () => void
}

/** A converted file: its size before and after, its download, and the button of the comparison. */
export function Result({ item, work, comparing, comparison, onCompare }: Props) {
  const { t } = useTexts()
  const { name, conversion } = item
  return (
    <>
      <Sizes
        before={item.size}
        after={conversion!.outputSize ?? 0}
        isSame={conversion!.fromFormat === conversion!.toFormat}
      />
      <Button
        icon="download"
        class="primary"
        aria-label={t('row.downloadName', { name: `${name} → ${codeOf(conversion!.toFormat)}` })}
        onClick={() => work.downloadOf(item.key, conversion!)}
      >
        {codeOf(conversion!.toFormat)}
      </Button>
      {canCompare(conversion!) && (
        <IconButton
          icon="compare"
          label={t('compare.openName', { name })}
          title={t('compare.open')}
          aria-expanded={comparing}
          aria-controls={comparison}
          onClick={onCompare}
        />
      )}
      <IconButton icon="again" label={t('row.againName', { name })} onClick={() => work.again(item.key)} />
    </>
  )
}

/** Whether the browser can show a result. Several pages come in a ZIP, which it cannot. */
const canCompare = ({ toFormat, outputFileId }: Conversion) =>
  shownAs(toFormat) !== undefined && !(outputFileId?.endsWith('.zip') ?? false)

interface SizesProps {
  before: number
  after: number
  /** Whether the result has the format of the source. If it cannot be made smaller, it is the source. */
  isSame: boolean
}

function Sizes({ before, after, isSame }: SizesProps) {
  const { t, bytes, percent } = useTexts()
  const share = before ? Math.abs(before - after) / before : 0
  const times = before ? after / before : 0
  const key = share < 0.005 ? 'row.same' : after < before ? 'row.smaller' : 'row.larger'
  if (isSame && after === before) return <p class="sizes words">{t('row.unchanged')}</p>
  return (
    <p class="sizes">
      <span>{t('row.done', { before: bytes(before), after: bytes(after) })}</span>
      <small data-saved={after < before}>
        {times > 2
          ? t('row.times', { times: times < 10 ? Math.round(times * 10) / 10 : Math.round(times) })
          : t(key, { share: percent(share) })}
      </small>
    </p>
  )
}
