import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Facts } from '../state/facts.ts'
import type { State } from '../state/reducer.ts'
import { useTexts } from '../texts/texts.ts'
import type { Arrival } from '../work/accounts.ts'
import type { Work } from '../work/work.ts'
import { useAccountTexts } from './account-texts.ts'
import type { FormName } from './form.tsx'
import { Keys } from './keys.tsx'
import { Leaving } from './leaving.tsx'
import { NewPassword } from './new-password.tsx'
import { Register } from './register.tsx'
import { RequestReset } from './request-reset.tsx'
import { SignIn } from './sign-in.tsx'
import { Usage } from './usage.tsx'
import { Webhooks } from './webhooks.tsx'

interface Props {
  state: State
  work: Work
  facts: Facts
  arrival: Arrival
}

/** The account: forms to sign in, or the usage and the keys of who is signed in. */
export function Account({ state, work, facts, arrival }: Props) {
  const page = useTexts()
  const texts = useAccountTexts()
  const [form, setForm] = useState<FormName>(arrival.resetToken ? 'newPassword' : 'signIn')
  const [notice, setNotice] = useState(arrival.message)
  const { t } = texts
  const show = (next: FormName, notice?: string) => {
    setForm(next)
    setNotice(notice)
  }
  const { account } = state
  if (!account || form === 'newPassword') {
    const shared = { texts, work, show, facts }
    return (
      <div class="account narrow">
        {facts.conversionsPerDay === 0 && form === 'signIn' && <p class="hint">{page.t('account.needed')}</p>}
        {notice && (
          <p class="operator-notice" role="status">
            {notice}
          </p>
        )}
        {form === 'signIn' && <SignIn {...shared} />}
        {form === 'register' && <Register {...shared} />}
        {form === 'request' && <RequestReset {...shared} />}
        {form === 'newPassword' && <NewPassword {...shared} token={arrival.resetToken!} />}
      </div>
    )
  }
  const { email, name, plan } = account.user
  return (
    <div class="account">
      <header class="account-head">
        <div>
          <h1>{t('account.title')}</h1>
          <p class="hint">
            {name && <bdi>{name} · </bdi>}
            <bdi>{email}</bdi> · {t('account.plan', { plan })}
          </p>
        </div>
        <Button onClick={work.signOut}>{t('account.signOut')}</Button>
      </header>
      <Usage account={account} texts={texts} />
      <Keys limit={account.limits.apiKeys} texts={texts} work={work} />
      <Webhooks texts={texts} work={work} />
      <Leaving texts={texts} work={work} />
    </div>
  )
}
