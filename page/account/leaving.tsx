import type { Work } from '../work/work.ts'
import type { AccountTexts } from './account-texts.ts'
import { Field, Form, type Token } from './form.tsx'
import { PasswordField } from './password-field.tsx'

/** Changes the password, and deletes the account. Both ask for the password. */
export function Leaving({ texts, work }: { texts: AccountTexts; work: Work }) {
  const { t } = texts
  const said = { BAD_REQUEST: t('password.wrong'), FORBIDDEN: t('leave.again') }
  const own = { texts, work, said }
  return (
    <>
      <details class="card">
        <summary>{t('password.title')}</summary>
        <Form
          {...own}
          submit={t('password.title')}
          done={t('password.changed')}
          send={async (body) => {
            const { token } = await work.client.request<Token>('POST', 'api/users/me/password', { body })
            await work.enter(token)
          }}
        >
          <Field name="currentPassword" type="password" label={t('field.password')} autocomplete="current-password" />
          <PasswordField label={t('field.newPassword')} texts={texts} />
        </Form>
      </details>
      <details class="card">
        <summary>{t('leave.title')}</summary>
        <Form
          {...own}
          danger
          submit={t('leave.title')}
          send={async ({ password }) => {
            await work.client.request('POST', 'api/users/me/delete', { body: password ? { password } : {} })
            work.signOut()
          }}
        >
          <p class="hint">{t('leave.hint')}</p>
          <Field
            name="password"
            type="password"
            label={t('field.password')}
            autocomplete="current-password"
            // Who signs in with a provider may have none.
            required={false}
          />
        </Form>
      </details>
    </>
  )
}
