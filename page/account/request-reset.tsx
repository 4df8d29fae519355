import { Button } from '../parts/button.tsx'
import { Field, Form, type FormProps } from './form.tsx'

/** Asks for a link by email that sets a new password. */
export function RequestReset({ texts, work, facts, show }: FormProps) {
  const { t } = texts
  return (
    <>
      <Form
        work={work}
        title={t('reset.title')}
        texts={texts}
        submit={t('reset.request')}
        send={async ({ email }) => {
          await work.client.request('POST', 'api/auth/password-reset', { body: { email } })
          show('signIn', t(facts.mail ? 'reset.sent' : 'reset.operator'))
        }}
      >
        <p class="hint">{t(facts.mail ? 'reset.hint' : 'reset.operator')}</p>
        <Field name="email" type="email" label={t('field.email')} autocomplete="username" />
      </Form>
      <div class="account-more">
        <Button onClick={() => show('signIn')}>{t('register.have')}</Button>
      </div>
    </>
  )
}
