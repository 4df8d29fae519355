import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/texts.ts'
import { filesOfDrop, type Given } from '../work/files.ts'
import { Icon } from './icon.tsx'

/** Accepts files dropped anywhere on the page, and shows an overlay while they are dragged over it. */
export function DropOverlay({ onFiles }: { onFiles: (files: readonly Given[]) => void }) {
  const { t } = useTexts()
  const [over, setOver] = useState(false)

  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files')
    const listeners = {
      dragover(event: DragEvent) {
        if (!hasFiles(event)) return
        // Otherwise the browser would open the file instead of the page.
        event.preventDefault()
        setOver(true)
      },
      dragleave(event: DragEvent) {
        // The event has a related target when it moves to another element, and none when it leaves the window.
        if (!event.relatedTarget) setOver(false)
      },
      drop(event: DragEvent) {
        setOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        void filesOfDrop(event.dataTransfer!).then(onFiles)
      },
    }
    const entries = Object.entries(listeners) as [keyof typeof listeners, (event: DragEvent) => void][]
    for (const [name, listener] of entries) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of entries) document.removeEventListener(name, listener)
    }
  }, [onFiles])

  return (
    <div class="overlay" hidden={!over} aria-hidden="true">
      <p>
        <Icon name="add" />
        {t('drop.overlay')}
      </p>
    </div>
  )
}
