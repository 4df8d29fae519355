/** Services on one data folder, one after the other, with another secret: what they keep of the one before. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { startWebdav } from '../harness/servers/webdav.ts'
import { convert, get, post, type Service, STUB, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { bearer, makeKey, signUp } from './people.ts'

const DATA_DIR = await folderOf(t)
const [first, second] = ['first', 'second'].map((word) => `${word} secret of forty characters or more`) as [
  string,
  string,
]
const start = (env: Record<string, string>) =>
  startService({
    env: { DATA_DIR, ...env },
    change(config) {
      config.imports.allowNetworks = ['127.0.0.1']
      config.webhooks.allowNetworks = ['127.0.0.1']
    },
  })

const webdav = await startWebdav()
/** Whether the receiver of webhooks refuses them. */
let refuses = false
const messages: { body: string; headers: Record<string, string> }[] = []
const receiver = await startOrigin(async (req, res) => {
  const body = (await req.toArray()).join('')
  messages.push({ body, headers: req.headers as Record<string, string> })
  res.writeHead(refuses ? 503 : 204).end()
})
t.teardown(() => Promise.all([webdav, receiver].map((part) => part[Symbol.asyncDispose]())))
await writeFile(join(webdav.folder, 'note.stub'), STUB)

/** What an account keeps. */
interface Kept {
  session: { authorization: string }
  key: Record<string, string>
  link: string
  webhook: string
  secret: string
}

async function prepare(service: Service): Promise<Kept> {
  const ada = await signUp(service, 'pro')
  const { bySecret } = await makeKey(service, ada)
  const { download } = await convert(service, {}, ada.session)
  const { url, username, password } = webdav
  await post(service, '/api/import/webdav/connect', { url, username, password }, ada.session)
  const { webhook, secret } = (await post(service, '/api/webhooks', { url: receiver.base }, ada.session)).json
  return { session: ada.session, key: bySecret, link: download, webhook: webhook.id, secret }
}

/** Answers of the service about what an account keeps. */
async function statuses(service: Service, { session, key, link, webhook, secret }: Kept) {
  const listed = await get(service, '/api/import/webdav/files', key)
  const since = messages.length
  await post(service, `/api/webhooks/${webhook}/test`, {}, key)
  await until(() => messages.length > since)
  const { body, headers } = messages.at(-1)!
  return {
    session: (await get(service, '/api/users/me', session)).status,
    link: (await get(service, link)).status,
    cloud: listed.json.files?.[0]?.name,
    hook: (new Webhook(secret).verify(body, headers) as { type: string }).type,
  }
}

t.test('a secret is changed without ending sessions, links and connections', async (t) => {
  let kept: Kept
  const all = { session: 200, link: 200, cloud: 'note.stub', hook: 'test' }
  {
    await using service = await start({ JWT_SECRET: first })
    kept = await prepare(service)
    t.strictSame(await statuses(service, kept), all)
    refuses = true
    const since = messages.length
    await post(service, `/api/webhooks/${kept.webhook}/test`, {}, kept.key)
    await until(() => messages.length > since)
  }
  // An event that could not be delivered waits for the next service.
  const waiting = messages.at(-1)!.headers['webhook-id']
  const database = new Database(join(DATA_DIR, 'athanor.sqlite'))
  database.prepare('update webhook_deliveries set next_at = 1 where next_at is not null').run()
  database.close()
  refuses = false
  const before = messages.length
  let later: string
  {
    await using service = await start({ JWT_SECRET: second, JWT_SECRET_PREVIOUS: first })
    await until(() => messages.length > before)
    t.equal(messages.at(-1)!.headers['webhook-id'], waiting)
    t.strictSame(await statuses(service, kept), all, 'while the one before verifies')
    later = (await signUp(service)).token
  }
  await using service = await start({ JWT_SECRET: second })
  t.strictSame(await statuses(service, kept), { ...all, session: 401, link: 401 }, 'afterwards')
  t.equal((await get(service, '/api/users/me', bearer(later))).status, 200, 'the new one has signed since')
})
