import { useRef } from 'preact/hooks'
import type { State } from '../state/reducer.ts'
import { possibleWays, type Way } from '../state/ways.ts'
import { useTexts } from '../texts/texts.ts'
import { filesOfInput, type Given } from '../work/files.ts'
import { Icon, type IconName } from './icon.tsx'

const ICONS: Readonly<Record<Way['id'], IconName>> = {
  photos: 'image',
  office: 'document',
  word: 'edit',
  scan: 'search',
  gif: 'video',
  smaller: 'shrink',
}

/** Frequent tasks, each of which opens the file dialog and sets the target. */
export function WaysIn({ formats, onFiles }: Pick<State, 'formats'> & { onFiles: (files: readonly Given[]) => void }) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const chosen = useRef('')
  const open = ({ accept, to }: Way) => {
    chosen.current = to
    input.current!.accept = accept ?? ''
    input.current!.click()
  }
  const give = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const to = chosen.current
    onFiles(filesOfInput(currentTarget.files).map((given) => ({ ...given, to })))
    // Allow the same file to be chosen again.
    currentTarget.value = ''
  }
  return (
    <section class="ways" aria-labelledby="ways-title">
      <h2 id="ways-title">{t('ways.title')}</h2>
      <ul>
        {possibleWays(formats).map((way) => (
          <li key={way.id}>
            <button type="button" class="way" data-way={way.id} onClick={() => open(way)}>
              <span class="way-icon">
                <Icon name={ICONS[way.id]} />
              </span>
              {t(`way.${way.id}`)}
            </button>
          </li>
        ))}
      </ul>
      <input ref={input} class="way-input" type="file" multiple hidden onChange={give} />
    </section>
  )
}
