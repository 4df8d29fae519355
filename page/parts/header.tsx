import type { Facts } from '../state/facts.ts'
import { mustSignIn, type State } from '../state/reducer.ts'
import type { Settings } from '../state/settings.ts'
import { useTexts } from '../texts/texts.ts'
import type { Work } from '../work/work.ts'
import { Button } from './button.tsx'
import { SettingsMenu } from './settings-menu.tsx'

interface Props {
  state: State
  work: Work
  facts: Facts
  settings: Settings
  onChange: (change: Partial<Settings>) => void
}

export function Header({ state, work, facts, settings, onChange }: Props) {
  const { t } = useTexts()
  const { account, accountOpen } = state
  const label = t(accountOpen ? 'account.back' : account ? 'account.open' : 'account.signIn')
  return (
    <header class="header">
      <p class="brand">
        <Mark />
        <span dir="auto">{facts.name}</span>
      </p>
      <div class="header-actions">
        {!mustSignIn(facts, state) && (
          <Button
            icon={accountOpen ? 'back' : 'person'}
            aria-label={label}
            onClick={() => work.openAccount(!accountOpen)}
          >
            {label}
          </Button>
        )}
        <SettingsMenu settings={settings} onChange={onChange} install={state.install} />
      </div>
    </header>
  )
}

/** The mark: an athanor, the furnace that alchemists kept burning for weeks, with its fire. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
    <path
      fill="currentColor"
      fill-rule="evenodd"
      d="M14.5 1h3v3.2a7.5 7.5 0 0 1 6 7.3h-15a7.5 7.5 0 0 1 6-7.3zM8 13.5h16l1.6 14H28.5V31h-25v-3.5h2.9zM11.5 27.5h9v-4a4.5 4.5 0 0 0-9 0z"
    />
    <path
      class="ember"
      d="M16.1 19.7c.3 1.8 2.3 2.9 2.3 5.2a2.5 2.5 0 0 1-5 .1c0-1.3.7-1.9 1-2.8.4.4.600.8.700 1.3.800-.9 1.2-2.2 1-3.8z"
    />
  </svg>
)
