/** No secret reaches the log: the tests do everything that involves secrets, then search the log. */
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { createBrowser } from '../harness/cookies.ts'
import { startGitHubSite } from '../harness/servers/github.ts'
import { CLIENT } from '../harness/servers/openid.ts'
import { startMailServer } from '../harness/servers/smtp.ts'
import { call, convert, get, pathOf, post, raw, startService } from '../harness/service.ts'
import { bearer, makeKey, PASSWORD, signUp } from './people.ts'

const JWT_SECRET = 'a secret that signs everything here'
const locationOf = (answer: Response) => answer.headers.get('location')!

const mail = await startMailServer()
const github = await startGitHubSite()
github.user.emails = [{ email: 'octo@example.org', primary: true, verified: true, visibility: null }]
const service = await startService({
  env: { JWT_SECRET, SMTP_URL: mail.url, MAIL_FROM: 'a@b.example', PUBLIC_URL: 'https://convert.example' },
  change: (config) => {
    config.accounts.providers = { github: { issuer: github.site, ...CLIENT } }
  },
})
t.teardown(() => Promise.all([service, mail, github].map((part) => part[Symbol.asyncDispose]())))
/** Secrets by kind. */
const secrets = new Map<string, string>(Object.entries({ JWT_SECRET, clientSecret: CLIENT.clientSecret, PASSWORD }))

t.test('sessions, keys, links and resets, valid and invalid', async (t) => {
  const ada = await signUp(service, 'pro')
  const key = await makeKey(service, ada)
  secrets.set('session', ada.token).set('signature', ada.token.split('.')[2]!).set('key', key.key)
  secrets.set('fingerprint', 'fingerprint-of-a-browser')
  const guest = { 'x-guest-fingerprint': 'fingerprint-of-a-browser' }
  const { download } = await convert(service, {}, { ...ada.session, ...guest })
  secrets.set('download token', new URL(download, service.base).searchParams.get('token')!)
  t.equal((await get(service, download)).status, 200)
  for (const headers of [key.bySecret, key.byBearer, bearer(`${ada.token}x`), { 'x-api-key': `${key.key}x` }]) {
    await get(service, download, headers)
    await get(service, `/api/nosuch?token=${ada.token}`, headers)
    await post(service, '/api/conversions', { fileId: key.key }, headers)
  }
  for (const password of [PASSWORD, `${PASSWORD}!`]) {
    await post(service, '/api/auth/login', { email: ada.email, password })
    await post(service, '/api/auth/register', { email: ada.email, password })
    await post(service, '/api/auth/login', `{"email":"${ada.email}","password":"${password}"`)
  }
  await raw(service.port, `GET /api/users/me HTTP/1.1\r\nAuthorization: Bearer ${ada.token}\r\nbroken\r\n\r\n`)
  await post(service, '/api/auth/password-reset', { email: ada.email })
  const token = /#token=([\w-]+)/.exec((await mail.wait(1))[0]!.text)![1]!
  secrets.set('reset token', token)
  const { status } = await post(service, '/api/auth/password-reset/confirm', { token, password: `${PASSWORD}?` })
  t.equal(status, 204)
  await post(service, '/api/auth/password-reset/confirm', { token, password: PASSWORD })
  await call(service, 'DELETE', `/api/api-keys/${key.id}`, { headers: ada.session })
})

t.test('external sign-in', async (t) => {
  const browser = createBrowser({ 'https://convert.example': service.base })
  const begun = locationOf(await browser.visit('https://convert.example/api/auth/github'))
  const back = new URL(locationOf(await browser.visit(begun)))
  for (const name of ['code', 'state']) secrets.set(name, back.searchParams.get(name)!)
  secrets.set('sealed cookie', [...browser.cookies.values()][0]!.value)
  const cookie = `athanor_sign_in=${secrets.get('sealed cookie')}`
  for (const status of [200, 401]) t.equal((await get(service, pathOf(back.href), { cookie })).status, status)
})

t.test('a database that fails', async (t) => {
  const hash = (await service.kernel.accounts.users.byEmail('octo@example.org'))!.id
  t.ok(hash)
  const database = await openDatabase({ url: service.kernel.config.databaseUrl, dataDir: service.dataDir })
  for (const name of ['users', 'api_keys', 'password_resets']) await database.schema.renameTable(name, `${name}_gone`)
  await database.destroy()
  const before = service.log.length
  secrets.set('address', 'new@example.org').set('any password hash', '$argon2id')
  for (const path of ['register', 'login', 'password-reset']) {
    const reply = await post(service, `/api/auth/${path}`, { email: 'new@example.org', password: PASSWORD })
    t.equal(reply.status, path === 'password-reset' ? 202 : 500, path)
  }
  secrets.set('another key', `ath_${'k'.repeat(43)}`)
  t.equal((await get(service, '/api/tools', { 'x-api-key': secrets.get('another key')! })).status, 500)
  await service.kernel.accounts.resets.close()
  const failures = service.log.slice(before).filter((line) => line.err) as any[]
  t.equal(failures.length, 4, 'each is logged')
  for (const { err } of failures) t.match(err.message, /users|api_keys/, 'with what failed')
})

t.test('the log contains no secrets', async (t) => {
  t.ok(service.log.length > 40)
  const text = JSON.stringify(service.log)
  for (const [name, secret] of secrets) {
    t.ok(secret.length > 8, name)
    t.notOk(text.includes(secret), name)
  }
})
