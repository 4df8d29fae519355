import { useRef } from 'preact/hooks'
import type { Facts } from '../state/facts.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import { filesOfInput, type Given } from '../work/files.ts'
import { Allowance } from './allowance.tsx'
import { Button } from './button.tsx'
import { ICONS } from './format-tag.tsx'
import { Icon } from './icon.tsx'
import { isTouched } from './is-touched.ts'

/** The attribute that makes a file chooser choose folders; Preact's types do not have it. */
const FOLDER = { webkitdirectory: true }

/** Categories of files, most frequent first. */
const KINDS = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook'] as const

interface Props {
  /** Whether files are in the list. The zone is smaller then. */
  small: boolean
  facts: Facts
  state: Pick<State, 'usage' | 'drawn'>
  onFiles: (files: readonly Given[]) => void
}

/** Opens the file chooser. Files can be dropped anywhere: see the overlay. */
export function DropZone({ small, facts, state: { usage, drawn }, onFiles }: Props) {
  const { t, bytes } = useTexts()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const chosen = (event: { currentTarget: HTMLInputElement }) => {
    const input = event.currentTarget
    onFiles(filesOfInput(input.files))
    // Allow the same file to be chosen again.
    input.value = ''
  }
  const { maxFileSize } = facts
  // A space keeps its line free.
  const limit = maxFileSize === null ? '' : drawn ? t('drop.limit', { size: bytes(maxFileSize) }) : '\u00a0'
  return (
    <div class={small ? 'drop small' : 'drop'}>
      <Button class="drop-button" onClick={() => files.current!.click()}>
        <span class="drop-icon">
          <Icon name="add" />
        </span>
        <strong>{t(small ? 'drop.more' : isTouched() ? 'drop.touch' : 'drop.title')}</strong>
        {!small && (
          <span class="kinds">
            {KINDS.map((kind) => (
              <span key={kind}>
                <Icon name={ICONS[kind]!} />
                {t(`group.${kind}`)}
              </span>
            ))}
          </span>
        )}
        {!small && limit && <span class="hint">{limit}</span>}
      </Button>
      <div class="drop-more">
        {/* Phones have no folders to choose. */}
        {!isTouched() && (
          <Button class="quiet folder-button" onClick={() => folder.current!.click()}>
            {t('drop.folder')}
          </Button>
        )}
        {!small && !isTouched() && <p class="hint">{t('drop.paste')}</p>}
      </div>
      <input ref={files} class="files-input" type="file" multiple hidden onChange={chosen} />
      <input ref={folder} class="folder-input" type="file" hidden onChange={chosen} {...FOLDER} />
      {!small && <Allowance facts={facts} usage={usage} />}
    </div>
  )
}
