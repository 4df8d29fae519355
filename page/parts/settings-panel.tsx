import { useId } from 'preact/hooks'
import languages from '../languages.json' with { type: 'json' }
import type { Settings } from '../state/settings.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'

export interface SettingsProps {
  settings: Settings
  /** Asks the user whether to install the page; undefined while the browser does not offer it. */
  install: (() => void) | undefined
  onChange: (change: Partial<Settings>) => void
}

/** The settings of this browser. */
export function SettingsPanel({ settings, install, onChange }: SettingsProps) {
  const { t, language } = useTexts()
  return (
    <>
      <Check
        label={t('settings.start')}
        checked={settings.startByItself}
        onChange={(startByItself) => onChange({ startByItself })}
      />
      <Check
        label={t('settings.save')}
        hint={t('settings.saveHint')}
        checked={settings.saveByItself}
        onChange={(saveByItself) => onChange({ saveByItself })}
      />
      <Check
        label={t('settings.saveAll')}
        checked={settings.saveAllByItself}
        onChange={(saveAllByItself) => onChange({ saveAllByItself })}
      />
      <label class="field">
        <span>{t('settings.language')}</span>
        <select value={language} onChange={(event) => onChange({ language: event.currentTarget.value })}>
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag} dir="auto">
              {name}
            </option>
          ))}
        </select>
      </label>
      {install && (
        <Button icon="download" class="preset" onClick={install}>
          {t('settings.install')}
        </Button>
      )}
    </>
  )
}

interface CheckProps {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Check({ label, hint, checked, onChange }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && <small id={`${id}-hint`}>{hint}</small>}
      </div>
    </div>
  )
}
