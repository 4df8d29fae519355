import { Form, type FormProps } from './form.tsx'
import { PasswordField } from './password-field.tsx'

/** Sets a new password, for who opened a mailed link. */
export function NewPassword({ texts, work, show, token }: FormProps & { token: string }) {
  const { t } = texts
  return (
    <Form
      work={work}
      title={t('reset.title')}
      texts={texts}
      submit={t('reset.submit')}
      said={{ INVALID_TOKEN: t('reset.used') }}
      send={async ({ password }) => {
        await work.client.request('POST', 'api/auth/password-reset/confirm', { body: { token, password } })
        // A reload must not ask for the used link again.
        history.replaceState(null, '', new URL('.', document.baseURI))
        show('signIn', t('reset.done'))
      }}
    >
      <PasswordField label={t('field.newPassword')} texts={texts} />
    </Form>
  )
}
