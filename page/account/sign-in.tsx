import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Field, Form, type FormProps, type Token } from './form.tsx'

interface Provider {
  id: string
  name: string
  /** Path at the service. */
  url: string
}

/** Signs in by address and password, or with a provider. */
export function SignIn({ texts, work, facts, show }: FormProps) {
  const { t } = texts
  const [providers, setProviders] = useState<readonly Provider[]>([])
  useEffect(() => {
    if (!facts.providers) return
    work.client.request<{ providers: Provider[] }>('GET', 'api/auth/providers').then(
      ({ providers }) => setProviders(providers),
      () => {},
    )
  }, [facts, work])
  return (
    <>
      <Form
        work={work}
        title={t('signIn.title')}
        texts={texts}
        submit={t('signIn.title')}
        said={{ UNAUTHORIZED: t('signIn.wrong') }}
        send={async ({ email, password }) => {
          const { token } = await work.client.request<Token>('POST', 'api/auth/login', { body: { email, password } })
          await work.enter(token)
          work.openAccount(false)
        }}
      >
        <Field name="email" type="email" label={t('field.email')} autocomplete="username" />
        <Field name="password" type="password" label={t('field.password')} autocomplete="current-password" />
      </Form>
      {providers.map(({ id, name, url }) => (
        <Button key={id} class="preset" onClick={() => work.leaveFor(url)}>
          {t('signIn.with', { name })}
        </Button>
      ))}
      <div class="account-more">
        <Button onClick={() => show('request')}>{t('signIn.forgot')}</Button>
        {facts.registration && <Button onClick={() => show('register')}>{t('register.title')}</Button>}
      </div>
    </>
  )
}
