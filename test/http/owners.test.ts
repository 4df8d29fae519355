/** Ownership: every endpoint, requested by every kind of user. */
import t, { type Test } from 'tap'
import { resources } from '../../kernel/http/resources/index.ts'
import { ahead } from '../harness/clock.ts'
import { offering } from '../harness/servers/cloud.ts'
import { call, convert, form, get, post, STUB, serviceOf, start, upload } from '../harness/service.ts'
import { bearer, makeKey, PASSWORD, type Person, signUp } from './people.ts'
import { begin, placeOf, send } from './tus.ts'

type Headers = Record<string, string>

/** The things of one owner. */
interface Things {
  file: string
  source: string
  conversion: string
  batch: string
  team: string
  /** An invitation to a team of somebody else. */
  invitation: string
  webhook: string
  /** Path of the download, without and with the owner's token. */
  download: string
  signed: string
  key: string
  /** Path of a complete resumable upload. */
  resumable: string
}
interface Owner {
  things?: Things
  make(): Promise<Things>
}

interface Statuses {
  /** Status for permitted users. */
  own: number
  /** Status for other accounts and guests: 404 for somebody's things, otherwise the status that everybody gets. */
  other: number
  /** Status for guests, if it differs. */
  guest?: number
  /** Status for the owner's API keys, if it differs. */
  byKey?: number
  /** The call can succeed only once with the same things. */
  once?: true
  /** Things that a guest cannot have, such as keys. */
  accountsOnly?: boolean
}
/** How to call an endpoint for somebody's things. */
interface Row extends Statuses {
  operation: string
  /** `{name}` stands for one of the things. */
  path: string
  init: (things: Things) => RequestInit
}

/** @param path Default: that of the operation. */
const row = (operation: string, statuses: Statuses, path = '', init: Row['init'] = () => ({})): Row => ({
  operation,
  ...statuses,
  path: path || operation.split(' ')[1]!,
  init,
})
/** A row with a JSON body. */
const sends = (operation: string, statuses: Statuses, body: (things: Things) => object, path?: string) =>
  row(operation, statuses, path, (things) => ({
    body: JSON.stringify(body(things)),
    headers: { 'content-type': 'application/json' },
  }))

const batchOf = ({ source }: Pick<Things, 'source'>) => ({
  files: [{ fileId: source, fileName: 'a', fileSize: 1, fromFormat: 'stub' }],
  toFormat: 'bust',
})
const tus = (more: Headers = {}) => ({ headers: { 'tus-resumable': '1.0.0', ...more } })
const rest = { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${STUB.length}` }

let made = 0
const another = () => ({ email: `row${++made}@example.org`, password: PASSWORD })
const inAMinute = () => new Date(Date.now() + 60_000).toISOString()
const all = (status: number) => ({ own: status, other: status })
const everybody = all(200)
const somebodys = { own: 200, other: 404 }
const startable = { own: 201, other: 404 }
const removable = { own: 204, other: 404 }
const linked = { ...somebodys, guest: 401 }
const account = { ...everybody, guest: 401, accountsOnly: true }
const accounts = { ...account, other: 404 }
const session = { ...account, byKey: 401 }
/** Nobody has connected cloud storage here. */
const unconnected = { ...all(404), guest: 401 }

const HOOK = '/api/webhooks/{webhook}'
const TEAM = '/api/teams/{team}'
const INVITATION = '/api/teams/invitations/{invitation}'
const CONVERSION = '/api/conversions/{conversion}'
const BATCH = '/api/conversions/batch/{batch}'
const TUS = '/api/uploads/tus/:id'

const rows: Row[] = [
  row('POST /api/convert', everybody, '', () => {
    const body = form(STUB)
    body.append('toFormat', 'bust')
    return { body }
  }),
  row('POST /api/uploads', all(201), '', () => ({ body: form(STUB) })),
  row('POST /api/uploads/tus', all(201), '', () => tus({ 'upload-length': '5' })),
  // The handle says whose file it is, whoever sends it.
  row('PUT /api/uploads/handle', all(401), '/api/uploads/handle?token=none', () => ({ body: STUB })),
  row(`GET ${TUS}`, somebodys, '{resumable}'),
  row(`PATCH ${TUS}`, somebodys, '{resumable}', () => tus(rest)),
  row(`DELETE ${TUS}`, removable, '{resumable}', () => tus()),
  row('DELETE /api/files/all', all(204)),
  row('GET /api/files/:id', somebodys, '{file}'),
  row('DELETE /api/files/:id', removable, '{file}'),
  row('GET /api/files/:id/download', linked, '{download}'),
  row('GET /api/files/:id/download', linked, '{file}/download'),
  sends('POST /api/conversions', startable, ({ source }) => ({ fileId: source, toFormat: 'bust' })),
  row('GET /api/conversions', everybody),
  row('GET /api/conversions/:id', somebodys, CONVERSION),
  row('GET /api/conversions/:id', somebodys, `${CONVERSION}?wait=1`),
  row('GET /api/conversions/:id/source', somebodys, `${CONVERSION}/source`),
  row('GET /api/conversions/:id/report', somebodys, `${CONVERSION}/report`),
  row('GET /api/events', everybody),
  row('GET /api/events', somebodys, '/api/events?conversion={conversion}'),
  row('GET /api/events', somebodys, '/api/events?batch={batch}'),
  row('GET /api/conversions/:id/events', somebodys, `${CONVERSION}/events`),
  row('DELETE /api/conversions/:id', removable, CONVERSION),
  sends('POST /api/conversions/batch', startable, batchOf),
  row('GET /api/conversions/batch/:id', somebodys, BATCH),
  row('GET /api/conversions/batch/:id/download', linked, `${BATCH}/download`),
  sends('POST /api/conversions/zip', startable, ({ conversion }) => ({ conversionIds: [conversion] })),
  sends('POST /api/import/url', all(400), () => ({ url: 'http://127.0.0.1/' })),
  row('GET /api/import/providers', everybody),
  sends('POST /api/import/:provider/connect', { ...all(400), guest: 401 }, () => ({}), '/api/import/s3/connect'),
  row('GET /api/import/:provider/callback', all(400), '/api/import/s3/callback?state=x'),
  row('GET /api/import/:provider/files', unconnected, '/api/import/s3/files'),
  sends('POST /api/import/:provider', unconnected, () => ({ ref: 'x' }), '/api/import/s3'),
  row('DELETE /api/import/:provider', unconnected, '/api/import/s3'),
  row('GET /api/webhooks', account),
  sends('POST /api/webhooks', { ...account, ...all(400) }, () => ({ url: 'http://127.0.0.1/' })),
  row('GET /api/webhooks/:id', accounts, HOOK),
  sends('PATCH /api/webhooks/:id', accounts, () => ({ active: false }), HOOK),
  row('DELETE /api/webhooks/:id', { ...accounts, own: 204 }, HOOK),
  row('POST /api/webhooks/:id/rotate', accounts, `${HOOK}/rotate`),
  row('POST /api/webhooks/:id/test', { ...accounts, own: 202 }, `${HOOK}/test`),
  row('GET /api/webhooks/:id/deliveries', accounts, `${HOOK}/deliveries`),
  row('GET /api/teams', account),
  sends('POST /api/teams', { ...account, ...all(201) }, () => ({ name: 'x' })),
  row('GET /api/teams/invitations', account),
  sends('POST /api/teams/invitations/:id/accept', { ...accounts, once: true }, () => ({}), `${INVITATION}/accept`),
  row('DELETE /api/teams/invitations/:id', { ...accounts, own: 204 }, INVITATION),
  row('GET /api/teams/:id', accounts, TEAM),
  sends('PATCH /api/teams/:id', accounts, () => ({ name: 'y' }), TEAM),
  row('DELETE /api/teams/:id', { ...accounts, own: 204 }, TEAM),
  row('GET /api/tools', everybody),
  row('GET /api/tools/:slug', everybody, '/api/tools/stub-to-bust'),
  row('GET /api/formats', everybody),
  row('GET /api/openapi.json', everybody),
  sends('POST /api/auth/register', all(201), another),
  sends('POST /api/auth/login', everybody, () => ({ email: 'reader@example.org', password: PASSWORD })),
  sends('POST /api/auth/password-reset', all(202), () => ({ email: 'x@example.org' })),
  sends('POST /api/auth/password-reset/confirm', all(400), () => ({ token: 'x', password: PASSWORD })),
  row('GET /api/auth/providers', everybody),
  row('GET /api/auth/:provider', all(404), '/api/auth/nosuch'),
  row('GET /api/auth/:provider/callback', all(404), '/api/auth/nosuch/callback'),
  row('GET /api/users/me', session),
  sends('POST /api/users/me/password', { ...session, ...all(400) }, () => ({
    currentPassword: 'wrong',
    password: PASSWORD,
  })),
  sends('POST /api/users/me/delete', { ...session, ...all(400) }, () => ({ password: 'wrong' })),
  row('GET /api/api-keys', session),
  sends('POST /api/api-keys', { ...session, ...all(201) }, () => ({ name: 'x', expiresAt: inAMinute() })),
  row('DELETE /api/api-keys/:id', { ...session, ...removable }, '/api/api-keys/{key}'),
]

t.test('every endpoint has its row', async (t) => {
  const documented = resources.flatMap(({ endpoints }) => endpoints).map(({ method, path }) => `${method} ${path}`)
  const ours = documented.filter((operation) => operation.includes('/api/'))
  t.strictSame([...new Set(rows.map(({ operation }) => operation))].sort(), ours.sort())
})

const service = await serviceOf(t, {
  env: { TRUSTED_PROXIES: '127.0.0.1' },
  change(config) {
    const { plans } = config
    const open = { pendingJobs: null, conversionsPerDay: null, bytesPerDay: null }
    for (const plan of [plans.guest, plans.pro]) Object.assign(plan, open)
    plans.pro.apiKeys = null
    config.imports.providers = offering({ s3: true })
  },
})
const { users } = service.kernel.accounts
await post(service, '/api/auth/register', { email: 'reader@example.org', password: PASSWORD })

const guest = (address: string, fingerprint: string) => ({
  'x-forwarded-for': address,
  'x-guest-fingerprint': fingerprint,
})
const ada = await signUp(service, 'pro')
const bob = await signUp(service, 'pro')
const sue = await signUp(service, 'pro')
const hers = await makeKey(service, ada)
const his = await makeKey(service, bob)
const sues = await makeKey(service, sue)
const gina = guest('192.0.2.1', 'gina')
const gus = guest('192.0.2.2', 'gus')
await users.change(sue.id, { status: 'suspended' })
const revoked = await makeKey(service, ada)
await call(service, 'DELETE', `/api/api-keys/${revoked.id}`, { headers: ada.session })
const soon = { expiresAt: new Date(Date.now() - 1000).toISOString() }
const expired = await ahead(-60_000, () => makeKey(service, ada, soon))
const ended = await signUp(service, 'pro')
await users.setPassword(ended, null)

const host = await signUp(service)
const hosts = (await post(service, '/api/teams', { name: 'host' }, host.session)).json.team.id
async function invite({ id, email }: Person): Promise<string> {
  const { teams, invitations } = service.kernel
  for (const role of ['none', 'member'] as const) await teams.change(host.id, hosts, { members: [{ email, role }] })
  return (await invitations.list(id))[0]!.id
}

/** A webhook whose server does not exist (RFC 2606). */
async function hookOf(headers: Headers): Promise<string> {
  const { json } = await post(service, '/api/webhooks', { url: 'https://hook.invalid/' }, headers)
  return json.webhook.id
}

async function thingsOf(headers: Headers, person?: Person): Promise<Things> {
  const { file, conversion, download } = await convert(service, {}, headers)
  const batch = await post(service, '/api/conversions/batch', batchOf({ source: file.fileId }), headers)
  for (const { conversionId } of batch.json.conversions)
    await get(service, `/api/conversions/${conversionId}?wait=30`, headers)
  const resumable = placeOf(await begin(service, STUB.length, headers))
  await send(service, resumable, 0, STUB, headers)
  const team = person && (await post(service, '/api/teams', { name: 'team' }, headers)).json.team
  return {
    invitation: person ? await invite(person) : 'inv_none',
    batch: batch.json.batchId,
    team: team?.id ?? `team_${'0'.repeat(32)}`,
    file: file.path,
    source: file.fileId,
    conversion: conversion.id,
    download: `/api/files/${conversion.id}/download`,
    signed: download,
    webhook: person ? await hookOf(headers) : 'hook_none',
    key: person ? (await makeKey(service, person)).id : 'key_none',
    resumable,
  }
}

function ask({ operation, path, init }: Row, things: Things, headers: Headers) {
  const { headers: own, ...more } = init(things)
  const place = path.replace(/\{(\w+)\}/g, (_, name: keyof Things) => things[name])
  return call(service, operation.split(' ')[0]!, place, {
    ...more,
    headers: { ...(own as Headers), ...headers },
  })
}

/** Shows whose a request is. */
const few = rows.filter(({ operation }) =>
  /^(POST \/api\/conversions|GET \/api\/(conversions\/:id|files\/:id\/download|webhooks))$/.test(operation),
)

/** Asks for an owner's things, with these credentials. */
const run = async (
  t: Test,
  title: string,
  owner: Owner,
  headers: Headers,
  expected: (row: Row) => number,
  asked: readonly Row[] = few,
) => {
  await t.test(title, async (t) => {
    for (const row of asked) {
      owner.things ??= await owner.make()
      const reply = await ask(row, owner.things, headers)
      t.equal(reply.status, expected(row), row.operation, { json: reply.json })
      // After this call, the things no longer exist.
      if (reply.status !== 204 && !(row.once && reply.status === 200)) continue
      // An account can have at most 20 teams, and 10 webhooks.
      await call(service, 'DELETE', `/api/webhooks/${owner.things.webhook}`, { headers: ada.session })
      await call(service, 'DELETE', `/api/teams/${owner.things.team}`, { headers: ada.session })
      delete owner.things
    }
  })
}
const adas: Owner = { make: () => thingsOf(ada.session, ada) }
const ginas: Owner = { make: () => thingsOf(gina) }

t.test("a user's things", async (t) => {
  await run(t, 'her session', adas, ada.session, ({ own }) => own, rows)
  await run(t, 'her key', adas, hers.bySecret, ({ own, byKey }) => byKey ?? own, rows)
  await run(t, 'another user', adas, bob.session, ({ other }) => other, rows)
  await run(t, "another user's key", adas, his.byBearer, ({ other, byKey }) => byKey ?? other)
  await run(t, 'a guest', adas, gina, ({ other, guest }) => guest ?? other, rows)
  await run(t, "another user with a guest's fingerprint", adas, { ...bob.session, ...gina }, ({ other }) => other)
  for (const [title, headers, status] of [
    ['a suspended user', sue.session, 403],
    ["a suspended user's key", sues.bySecret, 403],
    ['a revoked key of hers', revoked.bySecret, 401],
    ['an expired key of hers', expired.byBearer, 401],
    ['an ended session', ended.session, 401],
    ['a download token as a session', bearer(await service.kernel.tokens.sign(ada.id, 'x')), 401],
  ] as [string, Headers, number][])
    await run(t, title, adas, headers, () => status)
})

t.test("a guest's things", async (t) => {
  const mine = (row: Row) => (row.accountsOnly ? 401 : (row.guest ?? row.own))
  const notMine = ({ other, guest }: Row) => guest ?? other
  await run(t, 'the guest', ginas, gina, mine, rows)
  for (const [title, headers] of [
    ['another guest', gus],
    ['the same address without the fingerprint', { 'x-forwarded-for': '192.0.2.1' }],
    ['the same fingerprint from another address', guest('192.0.2.9', 'gina')],
  ] as [string, Headers][])
    await run(t, title, ginas, headers, notMine)
  for (const [title, more] of [
    ['a user', {}],
    ['a user with that address alone', { 'x-forwarded-for': '192.0.2.1' }],
    ['a user with that fingerprint alone', { 'x-guest-fingerprint': 'gina' }],
  ] as [string, Headers][])
    await run(t, title, ginas, { ...ada.session, ...more }, ({ other }) => other)
  await run(t, 'a key with both', ginas, { ...hers.bySecret, ...gina }, ({ other, byKey }) => byKey ?? other)
  // A guest has no keys, no webhooks and no teams.
  const keyOfNobody = ({ operation, own, accountsOnly }: Row) =>
    accountsOnly && /(api-keys|webhooks|teams|invitations)\/:id(\/\w+)?$/.test(operation) ? 404 : own
  await run(t, 'who was that guest and has signed in', ginas, { ...ada.session, ...gina }, keyOfNobody, rows)
})

// test/hostile/tokens.test.ts has the links of others, and forged ones.
t.test('signed links', async (t) => {
  const { signed } = await adas.make()
  const status = async (path: string, headers: Headers = {}) => (await get(service, path, headers)).status
  t.equal(await status(signed, gus), 200, "for any guest: it is what it's for")
  t.equal(await status(signed, ada.session), 200, 'with the owner')
  t.equal(await status(signed, his.bySecret), 404, "with another user's key")
  t.equal(await status(signed, sue.session), 403, 'with a suspended user')
  for (const bad of [revoked.bySecret, expired.bySecret, ended.session]) t.equal(await status(signed, bad), 401)
  const ginas_ = await ginas.make()
  t.equal(await status(ginas_.signed, { ...ada.session, ...gina }), 200, 'of the guest that she was')
  await users.change(ada.id, { status: 'suspended' })
  t.equal(await status(signed), 403, 'of an account that is suspended now')
  await users.change(ada.id, { status: 'active' })
})

t.test("after sign-in, the fingerprint still gives access to the guest's things", async (t) => {
  const device = guest('192.0.2.77', 'device')
  const before = await start(service, {}, device)
  const carla = await signUp(service, 'free', device)
  const signedIn = { ...carla.session, ...device }
  const after = await start(service, {}, signedIn)
  const ids = async (headers: Headers) =>
    (await get(service, '/api/conversions', headers)).json.conversions.map(({ id }: { id: string }) => id)
  t.strictSame(await ids(signedIn), [after.id, before.id], 'both, newest first')
  t.strictSame(await ids(carla.session), [after.id])
  t.strictSame(await ids(device), [before.id], 'what is new is no guest’s')
  const more = await post(service, '/api/conversions', { fileId: before.file.fileId, toFormat: 'bust' }, signedIn)
  t.equal(more.status, 201, 'its uploads too')
  t.equal((await get(service, `/api/conversions/${more.json.conversionId}`, carla.session)).status, 200)
  t.equal((await call(service, 'DELETE', `/api/conversions/${before.id}`, { headers: signedIn })).status, 204)
})

t.test("an account's things have the retention and the limits of its plan", async (t) => {
  const free = await signUp(service, 'free')
  const { file } = await convert(service, {}, free.session)
  const { retention } = service.kernel.config
  const row = await service.kernel.files.lookUp(file.fileId)
  t.equal(row!.owner, free.id)
  const status = async () => (await get(service, file.path, free.session)).status
  t.equal(await ahead(retention.guest + 1000, status), 200, 'longer than a guest’s')
  t.equal(await ahead(retention.account + 1000, status), 404)
  service.kernel.config.plans.free.maxFileSize = 10
  service.kernel.config.plans.business.maxFileSize = 1000
  t.equal((await upload(service, form(STUB), free.session)).status, 413)
  await users.change(free.id, { plan: 'business' })
  t.equal((await upload(service, form(STUB), free.session)).status, 201, 'the new plan at once')
})
