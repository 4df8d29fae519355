/** Requests whose credential or membership ends between their headers and the end of their body. */
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { agentOf } from '../harness/agent.ts'
import { call, form, get, patch, pathOf, post, refusal, serviceOf, upload } from '../harness/service.ts'
import { acceptAll, makeKey, PASSWORD, signUp } from './people.ts'

const service = await serviceOf(t)
const { accounts } = service.kernel
const NEW = 'staple correct horse'
const STOLEN = 'password of a thief'
const ended = refusal(401, 'UNAUTHORIZED')

/** Sends the headers of a request, until the service asks for the body. Resolves to a function that sends the body. */
async function hold(method: string, path: string, body: object, headers: Record<string, string>) {
  const sent = new Response(body instanceof FormData ? body : JSON.stringify(body))
  const bytes = Buffer.from(await sent.arrayBuffer())
  const held = request(service.base + path, {
    method,
    headers: {
      ...headers,
      'content-type': body instanceof FormData ? sent.headers.get('content-type')! : 'application/json',
      'content-length': bytes.length,
      expect: '100-continue',
    },
  })
  held.flushHeaders()
  await once(held, 'continue')
  return async () => {
    held.end(bytes)
    const [response] = await once(held, 'response')
    return { status: response.statusCode, json: (await json(response)) as any }
  }
}

t.test('nothing that a session has asked for happens after its end', async (t) => {
  const ada = await signUp(service, 'pro')
  const eve = await signUp(service)
  const { team } = (await post(service, '/api/teams', { name: 'Press' }, ada.session)).json
  const members = [{ email: eve.email, role: 'admin' }]
  const finishAll = [
    await hold('POST', '/api/users/me/password', { currentPassword: PASSWORD, password: STOLEN }, ada.session),
    await hold('POST', '/api/api-keys', { name: 'of a thief' }, ada.session),
    await hold('PATCH', `/api/teams/${team.id}`, { members }, ada.session),
  ]
  const own = { currentPassword: PASSWORD, password: NEW }
  const changed = await post(service, '/api/users/me/password', own, ada.session)
  t.equal(changed.status, 200)
  for (const finish of finishAll) t.match(await finish(), ended)
  const session = { authorization: `Bearer ${changed.json.token}` }
  t.equal((await get(service, '/api/users/me', session)).status, 200, 'the password is that of the owner')
  t.strictSame((await get(service, '/api/api-keys', session)).json.apiKeys, [])
  t.equal((await get(service, `/api/teams/${team.id}`, session)).json.team.members.length, 1)
})

t.test('a revoked key and a suspended account start nothing', async (t) => {
  const ada = await signUp(service, 'pro')
  const key = await makeKey(service, ada)
  const { fileId } = (await upload(service, form('STUB\n'), ada.session)).json.file
  const body = { fileId, toFormat: 'bust' }
  const byKey = await hold('POST', '/api/conversions', body, key.bySecret)
  const uploadByKey = await hold('POST', '/api/uploads', form('STUB\n'), key.bySecret)
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'convert', arguments: body } }
  const byAgent = await hold('POST', '/mcp', tool, key.bySecret)
  await using agent = await agentOf(service.base, ada.session)
  const { uploadUrl } = (await agent.use('upload', { fileName: 'note.stub' })).facts
  const byHandle = await hold('PUT', pathOf(uploadUrl), {}, {})
  const bySession = await hold('POST', '/api/conversions', body, ada.session)
  t.equal((await call(service, 'DELETE', `/api/api-keys/${key.id}`, { headers: ada.session })).status, 204)
  t.match(await byKey(), ended)
  t.match(await uploadByKey(), ended)
  t.match(await byAgent(), ended)
  await accounts.users.change(ada.id, { status: 'suspended' })
  t.match(await bySession(), refusal(403, 'FORBIDDEN', /suspended/))
  t.match(await byHandle(), refusal(403, 'FORBIDDEN', /suspended/))
})

t.test('a removed member starts nothing for the team', async (t) => {
  const ada = await signUp(service, 'pro')
  const bob = await signUp(service)
  const members = [{ email: bob.email, role: 'member' }]
  const { team } = (await post(service, '/api/teams', { name: 'Press', members }, ada.session)).json
  await acceptAll(service, bob)
  const { fileId } = (await upload(service, form('STUB\n'), bob.session)).json.file
  const headers = { ...bob.session, 'x-team-id': team.id }
  const oneCall = form('STUB\n')
  oneCall.append('toFormat', 'bust')
  const finishAll = [
    await hold('POST', '/api/conversions', { fileId, toFormat: 'bust' }, headers),
    await hold('POST', '/api/convert', oneCall, headers),
  ]
  const gone = { members: [{ email: bob.email, role: 'none' }] }
  t.equal((await patch(service, `/api/teams/${team.id}`, gone, ada.session)).status, 200)
  for (const finish of finishAll) t.match(await finish(), refusal(404, 'NOT_FOUND', /no such team/))
  t.same((await get(service, '/api/conversions', { ...ada.session, 'x-team-id': team.id })).json.conversions, [])
})

t.test('nor while a password is hashed, or a key waits for the lock of the account', async (t) => {
  const ada = await signUp(service, 'pro')
  const before = (await accounts.users.byId(ada.id))!
  await accounts.changePassword(before, { currentPassword: PASSWORD, password: NEW })
  const again = accounts.changePassword(before, { currentPassword: PASSWORD, password: STOLEN })
  await t.rejects(again, { code: 'UNAUTHORIZED' })
  await t.rejects(accounts.keys.create(before, { name: 'late', expiresAt: null }), { code: 'UNAUTHORIZED' })
  const login = await post(service, '/api/auth/login', { email: ada.email, password: NEW })
  t.equal(login.status, 200)
})
