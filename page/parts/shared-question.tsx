import type { Store } from '../state/store.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button } from './button.tsx'

/** Number of names that are shown. */
const SHOWN = 5

interface Props {
  files: readonly File[]
  store: Store
  work: Pick<Work, 'add'>
}

/** Asks whether shared files are to be added. Any website can share files with the page, as if the user had done it. */
export function SharedQuestion({ files, store, work }: Props) {
  const { t, bytes } = useTexts()
  const add = (wanted: readonly File[]) => {
    store.dispatch({ type: 'shared', files: undefined })
    work.add(wanted.map((file) => ({ file })))
  }
  return (
    <section class="question" aria-label={t('share.ask')}>
      <p>
        {t('share.ask')}
        {files.slice(0, SHOWN).map(({ name, size }, at) => (
          <small key={at}>
            <bdi>{name}</bdi> · {bytes(size)}
          </small>
        ))}
        {files.length > SHOWN && <small>… {t('bar.summary', { count: files.length })}</small>}
      </p>
      <Button onClick={() => add([])}>{t('row.cancel')}</Button>
      <Button class="primary" onClick={() => add(files)}>
        {t('share.add')}
      </Button>
    </section>
  )
}
