/** Team invitations: what they reveal, who can accept them, and their limits. */
import t from 'tap'
import { ahead } from '../harness/clock.ts'
import { startMailServer } from '../harness/servers/smtp.ts'
import { call, convert, get, patch, post, refusal, type Service, serviceOf, startService } from '../harness/service.ts'
import { acceptAll, makeKey, type Person, signUp } from './people.ts'

const INVITATIONS = '/api/teams/invitations'
const DAY = 86_400_000
const member = (email: string, role = 'member') => ({ members: [{ email, role }] })
const remove = (service: Service, path: string, { session }: Person) =>
  call(service, 'DELETE', path, { headers: session })
const invitationsOf = async (service: Service, { session }: Person) =>
  (await get(service, INVITATIONS, session)).json.invitations
const accept = (service: Service, id: string, { session }: Person) =>
  post(service, `${INVITATIONS}/${id}/accept`, {}, session)

t.test('with a mail server, addresses must be proven, and invitations are sent by mail', async (t) => {
  await using mail = await startMailServer()
  await using service = await startService({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'noreply@convert.example', PUBLIC_URL: 'https://convert.example' },
  })
  const ada = await signUp(service)
  const bob = await signUp(service)
  const unproven = refusal(403, 'FORBIDDEN', /need a verified email address/)
  const invite = (email: string, name = 'Free prizes at evil.example') =>
    post(service, '/api/teams', { name, ...member(email) }, ada.session)
  t.match(await invite(bob.email), unproven, 'who invites')
  t.strictSame((await get(service, '/api/teams', ada.session)).json.teams, [])
  await service.kernel.accounts.users.change(ada.id, { verified: true })
  for (const email of [bob.email, 'nobody@example.net']) t.equal((await invite(email)).status, 201)
  const letters = await mail.wait(2)
  t.strictSame(letters.flatMap(({ to }) => to).sort(), ['nobody@example.net', bob.email].sort())
  for (const { to, text } of letters) {
    t.match(text, /^Subject: Invitation to a team\r$/m)
    const words = text.replace(/\s+/g, ' ')
    t.ok(words.includes(`${ada.email} invites you`) && words.includes('at https://convert.example. Sign in'), words)
    t.ok(words.includes(`with the address ${to[0]} `))
    t.notMatch(text, /prizes|evil/, 'not what a stranger calls a team')
  }

  const { users } = service.kernel.accounts
  await users.change(bob.id, { verified: true })
  const { id } = (await invitationsOf(service, bob))[0]
  await users.change(bob.id, { verified: false })
  for (const attempt of [
    get(service, INVITATIONS, bob.session),
    accept(service, id, bob),
    remove(service, `${INVITATIONS}/${id}`, bob),
  ]) {
    t.match(await attempt, unproven, 'who is invited')
  }
  await users.change(bob.id, { verified: true })
  await acceptAll(service, bob)
  t.equal((await get(service, '/api/teams', bob.session)).json.teams.length, 1)

  for (let times = 0; times < 3; times++) t.equal((await invite('nobody@example.net')).status, 201)
  t.equal((await invite('last@example.net')).status, 201)
  await mail.wait(5)
  const to = mail.received.flatMap((each) => each.to)
  t.equal(to.filter((address) => address === 'nobody@example.net').length, 3, 'an address gets three a day')
})

const service = await serviceOf(t)
const ada = await signUp(service, 'pro')
const bob = await signUp(service)
const eve = await signUp(service)
await service.kernel.accounts.users.change(bob.id, { name: 'Robert Secret' })
const make = async (body: object = {}, who = ada) =>
  (await post(service, '/api/teams', { name: 'Press', ...body }, who.session)).json.team
const show = async (id: string) => (await get(service, `/api/teams/${id}`, ada.session)).json.team

t.test('an invited address is shown as typed, and never reveals whether it has an account', async (t) => {
  const typed = [bob.email.replace('p', 'P'), 'Nobody@Example.net']
  const answers = []
  for (const email of typed) {
    const { status, headers, json, body } = await patch(
      service,
      `/api/teams/${(await make()).id}`,
      member(email),
      ada.session,
    )
    t.strictSame(json.team.members[1], { email, role: 'member', status: 'invited' })
    t.strictSame(await show(json.team.id), json.team, 'reading it says the same')
    t.notMatch(body.toString(), /Robert/)
    const { id, createdAt, ...team } = json.team
    answers.push([status, [...headers.keys()], JSON.stringify(team).replace(email, '@')])
    const gone = await patch(service, `/api/teams/${id}`, member(email.toUpperCase(), 'none'), ada.session)
    t.equal(gone.json.team.members.length, 1, 'revoked, in whatever case')
    t.equal((await patch(service, `/api/teams/${id}`, member(email, 'none'), ada.session)).status, 200)
  }
  t.strictSame(answers[0], answers[1])
  t.strictSame(await invitationsOf(service, bob), [])
})

t.test('it gives no access before acceptance, and only the account with the address can accept', async (t) => {
  const { id } = await make(member(bob.email, 'admin'))
  const { conversion } = await convert(service, {}, { ...ada.session, 'x-team-id': id })
  const path = `/api/conversions/${conversion.id}`
  const [invitation, ...others] = await invitationsOf(service, bob)
  t.strictSame(others, [])
  t.match(invitation, { id: /^inv_[0-9a-f]{32}$/, team: { id, name: 'Press' }, role: 'admin', invitedBy: ada.email })
  t.match(await get(service, `/api/teams/${id}`, bob.session), refusal(404, 'NOT_FOUND'))
  t.match(await get(service, path, bob.session), refusal(404, 'NOT_FOUND'))
  t.match(await accept(service, invitation.id, eve), refusal(404, 'NOT_FOUND'))
  t.strictSame((await get(service, '/api/teams', bob.session)).json.teams, [])

  const both = await Promise.all([accept(service, invitation.id, bob), accept(service, invitation.id, bob)])
  t.strictSame(both.map(({ status }) => status).sort(), [200, 404], 'of two at one time, one')
  const shown = (await show(id)).members.find(({ email }: any) => email === bob.email)
  t.strictSame(shown, { email: bob.email, name: 'Robert Secret', role: 'admin', status: 'active' })
  t.strictSame(await invitationsOf(service, bob), [])
  t.equal((await get(service, path, bob.session)).status, 200)
})

t.test('declined, revoked, deleted and expired invitations are gone', async (t) => {
  const { id } = await make(member(bob.email))
  const path = `/api/teams/${id}`
  const open = async () => (await invitationsOf(service, bob))[0]
  const first = await open()
  t.equal((await remove(service, `${INVITATIONS}/${first.id}`, bob)).status, 204)
  t.equal((await show(id)).members.length, 1)

  for (const role of ['member', 'admin']) await patch(service, path, member(bob.email, role), ada.session)
  t.match(await invitationsOf(service, bob), { length: 1, 0: { role: 'admin' } }, 'invited again: another role')
  const second = await open()
  await patch(service, path, member(bob.email, 'none'), ada.session)
  t.match(await accept(service, second.id, bob), refusal(404, 'NOT_FOUND'))

  await patch(service, path, member(bob.email), ada.session)
  const third = await open()
  // The session would expire before the invitation, so use a key.
  await service.kernel.accounts.users.change(bob.id, { plan: 'pro' })
  const { bySecret } = await makeKey(service, bob)
  const listed = async () => (await get(service, INVITATIONS, bySecret)).json.invitations.length
  t.equal(await ahead(29.9 * DAY, listed), 1)
  await ahead(30.1 * DAY, async () => {
    t.equal(await listed(), 0)
    t.match(await post(service, `${INVITATIONS}/${third.id}/accept`, {}, bySecret), refusal(404, 'NOT_FOUND'))
    t.equal((await service.kernel.teams.members(id)).length, 1)
  })

  await patch(service, path, member(bob.email), ada.session)
  const fourth = await open()
  await remove(service, path, ada)
  t.strictSame(await invitationsOf(service, bob), [])
  t.match(await accept(service, fourth.id, bob), refusal(404, 'NOT_FOUND'))
})

t.test('a team has 100 members, the invited ones included; an account invites 100 addresses a day', async (t) => {
  const host = await signUp(service)
  const many = (from: number, count: number) => ({
    members: Array.from({ length: count }, (_, at) => ({ email: `many${from + at}@example.net`, role: 'member' })),
  })
  const path = `/api/teams/${(await make({}, host)).id}`
  const full = await patch(service, path, many(0, 100), host.session)
  t.match(full, refusal(400, 'BAD_REQUEST', 'members: a team has at most 100 members, including invited people'))
  t.equal((await patch(service, path, many(0, 99), host.session)).json.team.members.length, 100)
  t.match(await patch(service, path, many(99, 1), host.session), refusal(400, 'BAD_REQUEST'))
  const other = `/api/teams/${(await make({}, host)).id}`
  t.match(await patch(service, other, many(0, 2), host.session), refusal(429, 'QUOTA_EXCEEDED'))
  const two = await Promise.all([0, 1].map((at) => patch(service, other, many(at, 1), host.session)))
  t.strictSame(two.map(({ status }) => status).sort(), [200, 429], 'of two at one time, one is within the bound')
  const gone = { members: many(0, 99).members.map((each) => ({ ...each, role: 'none' })) }
  t.equal((await patch(service, path, gone, host.session)).json.team.members.length, 1)
  const refused = await patch(service, path, many(0, 1), host.session)
  t.match(refused, refusal(429, 'QUOTA_EXCEEDED'), 'revoking gives none back')
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.equal((await post(service, '/api/teams', { name: 'x', ...many(0, 1) }, host.session)).status, 429)
  t.equal((await get(service, '/api/teams', host.session)).json.teams.length, 2, 'and leaves no team behind')
})
