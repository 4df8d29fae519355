import { Button } from '../parts/button.tsx'
import { Field, Form, type FormProps, type Token } from './form.tsx'
import { PasswordField } from './password-field.tsx'

/** Makes an account and signs in. */
export function Register({ texts, work, show }: FormProps) {
  const { t } = texts
  return (
    <>
      <Form
        work={work}
        title={t('register.title')}
        texts={texts}
        submit={t('register.title')}
        said={{ EMAIL_TAKEN: t('register.taken') }}
        send={async ({ name, ...rest }) => {
          const body = name ? { name, ...rest } : rest
          const { token } = await work.client.request<Token>('POST', 'api/auth/register', { body })
          await work.enter(token)
          work.openAccount(false)
        }}
      >
        <Field name="email" type="email" label={t('field.email')} autocomplete="username" />
        <PasswordField label={t('field.password')} texts={texts} />
        <Field name="name" label={t('field.name')} autocomplete="name" required={false} maxLength={200} />
      </Form>
      <div class="account-more">
        <Button onClick={() => show('signIn')}>{t('register.have')}</Button>
      </div>
    </>
  )
}
