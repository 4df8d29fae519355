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
        {(facts.accounts || accountOpen) && !mustSignIn(facts, state) && (
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

/** The mark, which is drawn beside the icons. */
export const Mark = () => (
  <svg class="mark" aria-hidden="true">
    <use href="#mark" />
  </svg>
)
