import type { Conversion } from '../../client/client.ts'
import { shownAs } from '../compare/kinds.ts'
import { type Item, isSized } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button, IconButton } from './button.tsx'
import { Pages } from './pages.tsx'
import { Sizes } from './sizes.tsx'
import { codeOf } from './target-name.ts'

interface Props {
  item: Item
  work: Work
  /** Category of the result. */
  category: string | undefined
  /** Whether the comparison with this id is shown. */
  comparing: boolean
  comparison: string
  onCompare: () => void
}

/** A converted file: its size before and after, its download, and the button of the comparison. */
export function Result({ item, work, category, comparing, comparison, onCompare }: Props) {
  const { t } = useTexts()
  const { name, conversion } = item
  const after = conversion!.outputSize ?? 0
  const isUnchanged = conversion!.fromFormat === conversion!.toFormat && after === item.size
  const isZip = conversion!.toFormat !== 'zip' && conversion!.outputFileId?.endsWith('.zip')
  return (
    <>
      {isUnchanged ? (
        <p class="sizes words">{t('row.unchanged')}</p>
      ) : isZip ? (
        <Pages id={conversion!.id} work={work} />
      ) : (
        isSized(item, category) && <Sizes before={item.size} after={after} />
      )}
      <Button
        icon="download"
        class="quiet saving"
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
