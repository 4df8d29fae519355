import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Problem } from '../state/item.ts'
import type { Work } from '../work/work.ts'
import type { AccountTexts } from './account-texts.ts'
import { Field, Form, Trouble } from './form.tsx'
import { NewKey } from './new-key.tsx'

interface Webhook {
  id: string
  url: string
  /** False also after the server answered 410. */
  active: boolean
}

interface Delivery {
  id: string
  type: string
  status: string
  /** HTTP status of the last attempt. */
  lastStatus: number | null
  createdAt: string
}

interface Props {
  texts: AccountTexts
  work: Work
}

/** The webhooks: add one, see its secret once, see what was delivered last, remove it. */
export function Webhooks({ texts, work }: Props) {
  const { client } = work
  const { t } = texts
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>([])
  const [secret, setSecret] = useState<string>()
  const load = () =>
    client.request<{ webhooks: Webhook[] }>('GET', 'api/webhooks').then(({ webhooks }) => setWebhooks(webhooks))
  useEffect(() => void load().catch(() => {}), [client])
  return (
    <section class="card" aria-labelledby="hooks-title">
      <h2 id="hooks-title">{t('hooks.title')}</h2>
      <p class="hint">{t('hooks.hint')}</p>
      {secret && <NewKey value={secret} texts={texts} />}
      <ul class="keys">
        {webhooks.map((webhook) => (
          <Row key={webhook.id} {...webhook} texts={texts} work={work} load={load} />
        ))}
      </ul>
      <Form
        work={work}
        texts={texts}
        submit={t('hooks.make')}
        send={async ({ url }) => {
          setSecret((await client.request<{ secret: string }>('POST', 'api/webhooks', { body: { url } })).secret)
          await load()
        }}
      >
        <Field name="url" type="url" label={t('hooks.url')} autocomplete="off" />
      </Form>
    </section>
  )
}

/** A webhook with its last deliveries. */
function Row({ id, url, active, texts, work, load }: Webhook & Props & { load: () => Promise<void> }) {
  const { client } = work
  const { t, ago } = texts
  const [deliveries, setDeliveries] = useState<readonly Delivery[]>([])
  const [problem, setProblem] = useState<Problem>()
  const path = `api/webhooks/${id}`
  const show = () =>
    client
      .request<{ deliveries: Delivery[] }>('GET', `${path}/deliveries`)
      .then(({ deliveries }) => setDeliveries(deliveries.slice(0, 5)))
  // The webhook may be gone by then.
  const look = () => void show().catch(() => {})
  const send = (method: 'DELETE' | 'POST', at: string) =>
    void client
      .request(method, at)
      .then(method === 'DELETE' ? load : () => void setTimeout(look, 1000))
      .catch((error) => setProblem(work.problemOf(error)))
  useEffect(look, [])
  return (
    <li>
      <p>
        <strong dir="ltr">{url}</strong> {!active && t('hooks.off')}
        {deliveries.map(({ id, type, status, lastStatus, createdAt }) => (
          <small key={id}>
            <code dir="ltr">
              {type} {status} {lastStatus}
            </code>{' '}
            · {ago(Date.parse(createdAt))}
          </small>
        ))}
        <Trouble problem={problem} work={work} />
      </p>
      <Button aria-label={`${t('hooks.test')}: ${url}`} onClick={() => send('POST', `${path}/test`)}>
        {t('hooks.test')}
      </Button>
      <Button aria-label={`${t('hooks.remove')}: ${url}`} onClick={() => send('DELETE', path)}>
        {t('hooks.remove')}
      </Button>
    </li>
  )
}
