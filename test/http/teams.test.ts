/** Teams: who can change them, who sees their conversions, and who is charged. */
import t from 'tap'
import { call, form, get, patch, post, refusal, serviceOf, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { acceptAll, type Person, signUp } from './people.ts'

const alter = (path: string, body: object, headers: Record<string, string>) => patch(service, path, body, headers)
const remove = (path: string, headers: Record<string, string>) => call(service, 'DELETE', path, { headers })

const service = await serviceOf(t, {
  change: ({ plans, queue }) => {
    queue.workers = 1
    plans.pro = { ...plans.pro, conversionsPerDay: 4, pendingJobs: 3, filesPerBatch: 3 }
    plans.free = { ...plans.free, conversionsPerDay: 1 }
  },
})
const people = [await signUp(service, 'pro'), await signUp(service), await signUp(service), await signUp(service)]
const [ada, bob, cyd, eve] = people as [Person, Person, Person, Person]
/** Ada's team, with accepted members. */
async function found(...members: Person[]) {
  const crew = members.length ? members : [bob]
  const body = { name: 'Press', members: crew.map(({ email }) => ({ email, role: 'member' })) }
  const { team } = (await post(service, '/api/teams', body, ada.session)).json
  await acceptAll(service, ...crew)
  return (await get(service, `/api/teams/${team.id}`, ada.session)).json.team
}
/** Uploads a file as somebody and starts its conversion for a team. */
async function convertFor(person: Person, team: string, more: object = {}) {
  const { fileId } = (await upload(service, form('STUB\n'), person.session)).json.file
  const headers = { ...person.session, 'x-team-id': team }
  return post(service, '/api/conversions', { fileId, toFormat: 'bust', ...more }, headers)
}

t.test('creating, listing and showing teams', async (t) => {
  const made = await post(service, '/api/teams', { name: 'Ø & Co' }, ada.session)
  const { id, ...team } = made.json.team
  t.match([made.status, id, made.headers.get('location')], [201, /^team_[0-9a-f]{32}$/, `/api/teams/${id}`])
  t.match(team, { name: 'Ø & Co', role: 'owner', createdAt: /Z$/, members: [{ email: ada.email, role: 'owner' }] })
  const other = await found()
  const page = async (query: string) => (await get(service, `/api/teams?limit=1${query}`, ada.session)).json
  const first = await page('')
  t.match(first.teams, { length: 1, 0: { id: other.id } })
  t.match(await page(`&cursor=${first.nextCursor}`), { teams: [{ id }], nextCursor: null })
  const shown = (await get(service, `/api/teams/${other.id}`, bob.session)).json.team
  t.match(shown, { role: 'member', members: { length: 2 } })
})

t.test('permissions by role', async (t) => {
  const { id } = await found()
  const path = `/api/teams/${id}`
  const add = (email: string, role: string) => ({ members: [{ email, role }] })
  for (const change of [{ name: 'x' }, add(cyd.email, 'member'), add(bob.email, 'admin'), add(ada.email, 'none')]) {
    t.match(await alter(path, change, bob.session), refusal(403, 'FORBIDDEN'), 'a member changes nothing')
  }
  t.match(await remove(path, bob.session), refusal(403, 'FORBIDDEN'))
  t.match((await alter(path, add(bob.email.toUpperCase(), 'admin'), ada.session)).json.team.members, {
    length: 2,
  })
  const changed = await alter(path, { name: 'Radio', ...add(cyd.email, 'member') }, bob.session)
  t.match(changed, { status: 200, json: { team: { name: 'Radio', role: 'admin', members: { length: 3 } } } })
  await acceptAll(service, cyd)
  t.match(await remove(path, bob.session), refusal(403, 'FORBIDDEN'), 'an admin deletes nothing')
  // The owner stays.
  for (const role of ['none', 'member'])
    for (const { session } of [bob, ada])
      t.match(await alter(path, add(ada.email, role), session), refusal(400, 'BAD_REQUEST'))
  t.equal((await alter(path, add(cyd.email, 'none'), cyd.session)).status, 200, 'anybody may leave')
  t.match(await get(service, path, cyd.session), refusal(404, 'NOT_FOUND'))
  t.equal((await remove(path, ada.session)).status, 204)
  t.match(await get(service, path, ada.session), refusal(404, 'NOT_FOUND'))
  t.match(await alter(path, { name: 'x' }, bob.session), refusal(404, 'NOT_FOUND'))
})

t.test('who is removed at the same moment changes nothing any more', async (t) => {
  const { teams } = service.kernel
  const { id } = await found()
  await teams.change(ada.id, id, { members: [{ email: bob.email, role: 'admin' }] })
  const removal = teams.change(ada.id, id, { members: [{ email: bob.email, role: 'none' }] })
  // Both have begun, and wait for the lock of the team. A database on a server may give it to this one first.
  const back = teams.change(bob.id, id, { members: [{ email: bob.email, role: 'admin' }] })
  const [, late] = await Promise.allSettled([removal, back])
  t.ok(late.status === 'fulfilled' || late.reason.code === 'NOT_FOUND')
  t.strictSame(await teams.members(id), [{ email: ada.email, name: null, role: 'owner', status: 'active' }])
})

t.test("only members see a team's conversions", async (t) => {
  const { id } = await found()
  const started = await convertFor(bob, id)
  t.equal(started.status, 201)
  const path = `/api/conversions/${started.json.conversionId}`
  const { conversion } = (await get(service, `${path}?wait=30`, ada.session)).json
  t.equal(conversion.status, 'completed')
  const download = `/api/files/${conversion.id}/download`
  for (const member of [ada, bob]) {
    t.equal((await get(service, path, member.session)).status, 200)
    t.equal((await get(service, download, member.session)).status, 200)
    const listed = (await get(service, '/api/conversions', { ...member.session, 'x-team-id': id })).json.conversions
    t.same(
      listed.map((each: any) => each.id),
      [conversion.id],
    )
    t.same((await get(service, '/api/conversions', member.session)).json.conversions, [], 'it is not among their own')
  }
  t.match(await get(service, path, eve.session), refusal(404, 'NOT_FOUND'))
  t.match(await get(service, download, eve.session), refusal(404, 'NOT_FOUND'))
  t.match(await get(service, '/api/conversions', { ...eve.session, 'x-team-id': id }), refusal(404, 'NOT_FOUND'))
  t.match(await convertFor(eve, id), refusal(404, 'NOT_FOUND'))
  t.match(await get(service, '/api/conversions', { 'x-team-id': id }), refusal(401, 'UNAUTHORIZED'), 'a guest')
  const { fileId } = (await upload(service, form('STUB\n'), ada.session)).json.file
  const theft = { fileId, toFormat: 'bust' }
  const stolen = await post(service, '/api/conversions', theft, { ...bob.session, 'x-team-id': id })
  t.match(stolen, refusal(404, 'NOT_FOUND'), "a member's files stay that member's")

  await alter(`/api/teams/${id}`, { members: [{ email: bob.email, role: 'none' }] }, ada.session)
  t.match(await get(service, path, bob.session), refusal(404, 'NOT_FOUND'), 'who has left sees nothing any more')
  t.match(await get(service, download, bob.session), refusal(404, 'NOT_FOUND'))
  t.equal((await remove(path, ada.session)).status, 204, 'a member may delete it')
})

t.test("the owner of the team pays, with the limits of the owner's plan", async (t) => {
  const { id } = await found(bob, cyd)
  const usage = async (who: Person) => (await get(service, '/api/users/me', who.session)).json.usage.conversionsToday
  const before = await usage(ada)
  const held = { options: { sleep: 60_000 } }
  const first = await convertFor(bob, id, held)
  const { fileId } = (await upload(service, form('STUB\n'), cyd.session)).json.file
  const item = { fileId, fileName: 'a.stub', fileSize: 5, fromFormat: 'stub' }
  const body = { files: [item, item, item], toFormat: 'bust', ...held }
  const batch = await post(service, '/api/conversions/batch', body, { ...cyd.session, 'x-team-id': id })
  t.equal(first.status, 201)
  t.same(
    batch.json.conversions.map((each: any) => each.error?.code ?? 'ok'),
    ['ok', 'ok', before ? 'QUOTA_EXCEEDED' : 'QUEUE_FULL_USER'],
    'three wait at most, and four are made in a day',
  )
  t.same([await usage(ada), await usage(bob), await usage(cyd)], [before + 3, 0, 0])
  t.match((await get(service, `/api/conversions/batch/${batch.json.batchId}`, ada.session)).json.batch, { total: 2 })
  t.match(await get(service, `/api/conversions/batch/${batch.json.batchId}`, eve.session), refusal(404, 'NOT_FOUND'))
  const own = (await upload(service, form('STUB\n'), ada.session)).json.file
  const personal = await post(service, '/api/conversions', { fileId: own.fileId, toFormat: 'bust' }, ada.session)
  t.equal(personal.status, 429, "the owner's own share the limit")
  const pathOf = (conversionId: string) => `/api/conversions/${conversionId}`
  const statusOf = async (path: string) => (await get(service, path, ada.session)).json.conversion.status
  await until(async () => (await statusOf(pathOf(first.json.conversionId))) === 'processing')
  // First those that wait.
  for (const { conversionId } of [...batch.json.conversions, first.json]) {
    if (conversionId) await remove(pathOf(conversionId), ada.session)
  }
  t.ok((await usage(ada)) <= before + 1, 'those that waited are given back to the owner')
  await service.kernel.accounts.users.change(ada.id, { status: 'suspended' })
  t.match(await convertFor(bob, id), refusal(403, 'FORBIDDEN'), 'a suspended owner pays for nothing')
})
