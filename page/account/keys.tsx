import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Problem } from '../state/item.ts'
import type { Work } from '../work/work.ts'
import type { AccountTexts } from './account-texts.ts'
import { Field, Form, Trouble } from './form.tsx'
import { NewKey } from './new-key.tsx'

interface ApiKey {
  id: string
  name: string
  /** First characters of the key. */
  prefix: string
  createdAt: string
  lastUsedAt: string | null
}

interface Props {
  /** Keys that the plan allows; null: no limit. */
  limit: number | null
  texts: AccountTexts
  work: Work
}

/** The API keys: make one, see it once, revoke it. */
export function Keys({ limit, texts, work }: Props) {
  const { client } = work
  const { t, ago } = texts
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [made, setMade] = useState<string>()
  const [problem, setProblem] = useState<Problem>()
  const load = () =>
    client.request<{ apiKeys: ApiKey[] }>('GET', 'api/api-keys').then(({ apiKeys }) => setKeys(apiKeys))
  const fail = (error: unknown) => setProblem(work.problemOf(error))
  useEffect(() => void load().catch(fail), [client])
  const revoke = async (id: string) => {
    setProblem(undefined)
    await client.request('DELETE', `api/api-keys/${id}`)
    await load()
  }
  return (
    <section class="card" aria-labelledby="keys-title">
      <h2 id="keys-title">{t('keys.title')}</h2>
      <p class="hint">{limit === 0 ? t('keys.none') : t('keys.hint')}</p>
      <Trouble problem={problem} work={work} />
      {made && <NewKey value={made} texts={texts} />}
      {keys && limit !== 0 && (
        <>
          {!keys.length && <p>{t('keys.empty')}</p>}
          <ul class="keys">
            {keys.map(({ id, name, prefix, createdAt, lastUsedAt }) => (
              <li key={id}>
                <p>
                  <strong dir="auto">{name}</strong> <code dir="ltr">{prefix}…</code>
                  <small>
                    {t('keys.made', { when: ago(Date.parse(createdAt)) })} ·{' '}
                    {lastUsedAt ? t('keys.used', { when: ago(Date.parse(lastUsedAt)) }) : t('keys.unused')}
                  </small>
                </p>
                <Button aria-label={t('keys.revokeName', { name })} onClick={() => void revoke(id).catch(fail)}>
                  {t('keys.revoke')}
                </Button>
              </li>
            ))}
          </ul>
          <Form
            work={work}
            texts={texts}
            submit={t('keys.make')}
            send={async ({ name }) => {
              const { key } = await client.request<{ key: string }>('POST', 'api/api-keys', { body: { name } })
              setMade(key)
              await load()
            }}
          >
            <Field name="name" label={t('keys.name')} autocomplete="off" maxLength={100} />
          </Form>
        </>
      )}
    </section>
  )
}
