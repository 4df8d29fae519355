import { useEffect, useState } from 'preact/hooks'
import { Field, Form, type FormProps } from './form.tsx'

interface Provider {
  id: string
  name: string
  /** Path at the service. */
  url: string
}

/** Signs in by address and password, or with a provider. */
export function SignIn({ texts: { t }, work, facts, show }: FormProps) {
  const [providers, setProviders] = useState<readonly Provider[]>([])
  useEffect(() => {
    if (!facts.providers) return
    work.client.request('GET', 'api/auth/providers').then(
      ({ providers }) => setProviders(providers),
      () => {},
    )
  }, [facts, work])
  return (
    <>
      <Form
        work={work}
        title={t('signIn.title')}
        submit={t('signIn.submit')}
        send={async ({ email, password }) => {
          const { token } = await work.client.request('POST', 'api/auth/login', { body: { email, password } })
          await work.enter(token)
          work.openAccount(false)
        }}
      >
        <Field name="email" type="email" label={t('field.email')} autocomplete="username" />
        <Field name="password" type="password" label={t('field.password')} autocomplete="current-password" />
      </Form>
      {providers.map(({ id, name, url }) => (
        <button key={id} type="button" class="preset" onClick={() => work.leaveFor(url)}>
          {t('signIn.with', { name })}
        </button>
      ))}
      <div class="account-more">
        <button type="button" class="quiet" onClick={() => show('request')}>
          {t('signIn.forgot')}
        </button>
        {facts.registration && (
          <button type="button" class="quiet" onClick={() => show('register')}>
            {t('signIn.register')}
          </button>
        )}
      </div>
    </>
  )
}
