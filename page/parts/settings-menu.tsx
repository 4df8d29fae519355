import { useEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'
import { lazy } from './lazy.tsx'
import type { SettingsProps } from './settings-panel.tsx'

const SettingsPanel = lazy(async () => (await import('./settings-panel.tsx')).SettingsPanel)

/** The button with the settings of this browser. */
export function SettingsMenu(props: SettingsProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!open) return
    const outside = ({ target }: Event) => {
      if (!menu.current!.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !open) return
    setOpen(false)
    button.current!.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button in it opened
    <div class="settings" ref={menu} onKeyDown={closeByKey}>
      <button
        type="button"
        class="quiet"
        ref={button}
        aria-label={t('settings.title')}
        aria-expanded={open}
        aria-controls="settings"
        onClick={() => setOpen(!open)}
      >
        <Icon name="settings" />
        <span>{t('settings.title')}</span>
      </button>
      <div id="settings" class="panel" hidden={!open}>
        {open && <SettingsPanel {...props} />}
      </div>
    </div>
  )
}
