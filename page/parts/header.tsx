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
      d="M14.500 1h3v3.200a7.500 7.500 0 0 1 6 7.300h-15a7.500 7.500 0 0 1 6-7.300zM8 13.500h16l1.600 14H28.500V31h-25v-3.500h2.900zM11.500 27.500h9v-4a4.500 4.500 0 0 0-9 0z"
    />
    <path
      class="ember"
      d="M16.100 19.700c.3 1.800 2.300 2.900 2.300 5.200a2.500 2.500 0 0 1-5 .1c0-1.300.7-1.900 1-2.800.4.400.600.800.700 1.300.800-.9 1.200-2.200 1-3.800z"
    />
  </svg>
)
