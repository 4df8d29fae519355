/** Password resets: the mail is received over SMTP, and its link is used. */
import t from 'tap'
import { ahead } from '../harness/clock.ts'
import { startMailServer } from '../harness/servers/smtp.ts'
import { get, post, refusal, type Service, serviceOf, startService } from '../harness/service.ts'
import { makeKey, PASSWORD, signUp } from './people.ts'

const NEW = 'staple correct horse'
const ask = (service: Service, email: string) => post(service, '/api/auth/password-reset', { email })
const confirm = (service: Service, token: string, password = NEW) =>
  post(service, '/api/auth/password-reset/confirm', { token, password })
const login = (service: Service, email: string, password: string) =>
  post(service, '/api/auth/login', { email, password })
const tokenIn = (text: string) => /https:\/\/convert\.example\/reset#token=([\w-]{43})\r\n/.exec(text)![1]!
const invalid = refusal(400, 'INVALID_TOKEN', /^token is wrong, expired or already used/)

const mailed = (url: string) => ({
  env: { SMTP_URL: url, MAIL_FROM: 'Athanor <noreply@convert.example>', PUBLIC_URL: 'https://convert.example' },
})

const mail = await startMailServer()
t.teardown(() => mail[Symbol.asyncDispose]())
const service = await serviceOf(t, mailed(mail.url))
const { users } = service.kernel.accounts

t.test('the link of the mail sets a password, once, and ends sessions', async (t) => {
  const ada = await signUp(service, 'pro')
  await users.change(ada.id, { verified: true })
  const key = await makeKey(service, ada)
  const known = await ask(service, ada.email.toUpperCase())
  const unknown = await ask(service, 'nobody@example.org')
  t.equal(known.status, 202)
  t.strictSame([known.status, known.body], [unknown.status, unknown.body], 'the same answer')
  const [letter] = await mail.wait(1)
  t.match(letter, { from: 'noreply@convert.example', to: [ada.email], text: /^Subject: Set a new password\r$/m })
  t.match(letter!.text, /once, within 30 minutes/)
  const token = tokenIn(letter!.text)
  t.match(await confirm(service, token, 'short'), refusal(400, 'BAD_REQUEST'))
  const both = await Promise.all([confirm(service, token), confirm(service, token)])
  t.strictSame(both.map(({ status }) => status).sort(), [204, 400], 'of two at the same time, one')
  t.match(await confirm(service, token), invalid)
  t.equal((await get(service, '/api/users/me', ada.session)).status, 401)
  t.equal((await get(service, '/api/tools', key.bySecret)).status, 200, 'keys are no sessions')
  t.equal((await login(service, ada.email, PASSWORD)).status, 401)
  const again = await login(service, ada.email, NEW)
  t.equal((await get(service, '/api/users/me', { authorization: `Bearer ${again.json.token}` })).status, 200)
  t.ok((await users.byEmail(ada.email))!.verified, 'who reads its mail has the address')
  t.equal(mail.received.length, 1, 'nobody got no mail')
})

t.test('a link expires, and using one link revokes the others', async (t) => {
  const bob = await signUp(service, 'pro')
  const key = await makeKey(service, bob)
  const from = mail.received.length
  for (let n = 1; n <= 2; n++) {
    await ask(service, bob.email)
    await mail.wait(from + n)
  }
  const [first, second] = mail.received.slice(from).map(({ text }) => tokenIn(text)) as [string, string]
  t.match(await ahead(31 * 60_000, () => confirm(service, first)), invalid, 'after 31 minutes')
  t.equal((await confirm(service, second)).status, 204)
  t.match(await confirm(service, first), invalid)
  const works = (await get(service, '/api/tools', key.bySecret)).status
  t.equal(works, 401, 'keys from before the address was first proven')
})

t.test('mails are limited, and suspended accounts get none', async (t) => {
  const eve = await signUp(service)
  const sue = await signUp(service)
  await users.change(sue.id, { status: 'suspended' })
  const from = mail.received.length
  t.equal((await ask(service, sue.email)).status, 202)
  for (let n = 1; n <= 6; n++) {
    await ask(service, eve.email)
    if (n <= 3) await mail.wait(from + n)
  }
  await service.kernel.accounts.resets.close()
  t.strictSame(
    mail.received.slice(from).map(({ to }) => to[0]),
    [eve.email, eve.email, eve.email],
  )
})

t.test('a password is sent to the mail server only over TLS', async (t) => {
  await using deaf = await startMailServer({ login: ['user', 'pass word'], tls: false })
  await using service = await startService(mailed(deaf.url.replace('//', '//user:pass%20word@')))
  const ada = await signUp(service)
  await ask(service, ada.email)
  await service.kernel.accounts.resets.close()
  t.equal(deaf.received.length, 0)
  const failure = service.log.find((line) => line.msg === 'reset link not mailed')
  t.match(failure, { err: { code: 'ETLS' } })
  t.notMatch(JSON.stringify(service.log), 'pass word')
})

t.test('without a mail server, the link is logged, in development only', async (t) => {
  await using service = await startService()
  const { resets } = service.kernel.accounts
  const ada = await signUp(service)
  await ask(service, ada.email)
  await resets.close()
  const link = service.log.map((line) => line.link).find(Boolean) as string
  t.ok(link.startsWith(`${service.base}/reset#token=`), link)
  t.equal((await confirm(service, link.split('token=')[1]!)).status, 204)
  service.kernel.config.mode = 'production'
  const since = service.log.length
  t.equal((await ask(service, ada.email)).status, 202)
  await resets.close()
  const lines = service.log.slice(since)
  t.match(
    lines.find(({ level }) => level === 40),
    { user: ada.id, msg: /SMTP_URL is not set/ },
  )
  t.notMatch(JSON.stringify(lines), 'token=')
})
