import type { Facts } from '../state/facts.ts'
import type { Settings } from '../state/settings.ts'
import { Mark } from './mark.tsx'
import { SettingsMenu } from './settings-menu.tsx'

interface Props {
  facts: Facts
  settings: Settings
  onChange: (change: Partial<Settings>) => void
}

export const Header = ({ facts, settings, onChange }: Props) => (
  <header class="header">
    <p class="brand">
      <Mark />
      <span>{facts.name}</span>
    </p>
    <SettingsMenu settings={settings} onChange={onChange} />
  </header>
)
