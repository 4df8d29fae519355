import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Settings } from '../state/settings.ts'
import { LANGUAGES, useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

interface Props {
  settings: Settings
  onChange: (change: Partial<Settings>) => void
}

/** The button with the settings of this browser. */
export function SettingsMenu({ settings, onChange }: Props) {
  const { t, language } = useTexts()
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
        <Check
          {...{ label: t('settings.start'), hint: t('settings.startHint'), checked: settings.startByItself }}
          onChange={(startByItself) => onChange({ startByItself })}
        />
        <Check
          {...{ label: t('settings.save'), hint: t('settings.saveHint'), checked: settings.saveByItself }}
          onChange={(saveByItself) => onChange({ saveByItself })}
        />
        <label class="field">
          <span>{t('settings.language')}</span>
          <select value={language} onChange={(event) => onChange({ language: event.currentTarget.value })}>
            {Object.entries(LANGUAGES).map(([tag, { name }]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  )
}

interface CheckProps {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Check({ label, hint, checked, onChange }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        {...{ id, type: 'checkbox', checked, 'aria-describedby': `${id}-hint` }}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        <small id={`${id}-hint`}>{hint}</small>
      </div>
    </div>
  )
}
