/** Ownership: every endpoint, requested by every kind of user. */
import t, { type Test } from 'tap'
import { resources } from '../../kernel/http/resources/index.ts'
import { offering } from '../harness/servers/cloud.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import {
  call,
  convert,
  form,
  get,
  post,
  type Reply,
  type Service,
  STUB,
  start,
  startService,
  upload,
} from '../harness/service.ts'
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
  /** Path of the download, without and with the owner's token. */
  download: string
  signed: string
  key: string
  /** Path of a complete resumable upload. */
  resumable: string
}

/** How to call an endpoint for somebody's things. */
interface Row {
  operation: string
  ask: (service: Service, things: Things, headers: Headers) => Promise<Reply>
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

const at = (method: string, path: (things: Things) => string, init: (things: Things) => RequestInit = () => ({})) =>
  ((service, things, headers) => {
    const { headers: own, ...rest } = init(things)
    return call(service, method, path(things), { ...rest, headers: { ...(own as Headers), ...headers } })
  }) as Row['ask']
const json = (body: (things: Things) => object) => (things: Things) => ({
  body: JSON.stringify(body(things)),
  headers: { 'content-type': 'application/json' },
})

const batchOf = ({ source }: Pick<Things, 'source'>) => ({
  files: [{ fileId: source, fileName: 'a', fileSize: 1, fromFormat: 'stub' }],
  toFormat: 'bust',
})

let made = 0
const everybody = { own: 200, other: 200 }
const somebodys = { own: 200, other: 404 }
const account = { own: 200, other: 200, guest: 401, accountsOnly: true }
const session = { own: 200, other: 200, guest: 401, byKey: 401, accountsOnly: true }

const rows: Row[] = [
  {
    operation: 'POST /api/uploads',
    ask: at(
      'POST',
      () => '/api/uploads',
      () => ({ body: form(STUB) }),
    ),
    own: 201,
    other: 201,
  },
  {
    operation: 'POST /api/uploads/tus',
    ask: at(
      'POST',
      () => '/api/uploads/tus',
      () => ({ headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } }),
    ),
    own: 201,
    other: 201,
  },
  { operation: 'GET /api/uploads/tus/:id', ask: at('GET', ({ resumable }) => resumable), ...somebodys },
  {
    operation: 'PATCH /api/uploads/tus/:id',
    ask: at(
      'PATCH',
      ({ resumable }) => resumable,
      () => ({
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' },
          'upload-offset': `${STUB.length}`,
        },
      }),
    ),
    ...somebodys,
  },
  {
    operation: 'DELETE /api/uploads/tus/:id',
    ask: at(
      'DELETE',
      ({ resumable }) => resumable,
      () => ({ headers: { 'tus-resumable': '1.0.0' } }),
    ),
    own: 204,
    other: 404,
  },
  { operation: 'DELETE /api/files/all', ask: at('DELETE', () => '/api/files/all'), own: 204, other: 204 },
  { operation: 'GET /api/files/:id', ask: at('GET', ({ file }) => file), ...somebodys },
  { operation: 'DELETE /api/files/:id', ask: at('DELETE', ({ file }) => file), own: 204, other: 404 },
  { operation: 'GET /api/files/:id/download', ask: at('GET', ({ download }) => download), ...somebodys, guest: 401 },
  {
    operation: 'GET /api/files/:id/download',
    ask: at('GET', ({ file }) => `${file}/download`),
    ...somebodys,
    guest: 401,
  },
  {
    operation: 'POST /api/conversions',
    ask: at(
      'POST',
      () => '/api/conversions',
      json(({ source }) => ({ fileId: source, toFormat: 'bust' })),
    ),
    own: 201,
    other: 404,
  },
  { operation: 'GET /api/conversions', ask: at('GET', () => '/api/conversions'), ...everybody },
  {
    operation: 'GET /api/conversions/:id',
    ask: at('GET', ({ conversion }) => `/api/conversions/${conversion}`),
    ...somebodys,
  },
  {
    operation: 'GET /api/conversions/:id',
    ask: at('GET', ({ conversion }) => `/api/conversions/${conversion}?wait=1`),
    ...somebodys,
  },
  {
    operation: 'GET /api/conversions/:id/source',
    ask: at('GET', ({ conversion }) => `/api/conversions/${conversion}/source`),
    ...somebodys,
  },
  { operation: 'GET /api/events', ask: at('GET', () => '/api/events'), ...everybody },
  {
    operation: 'GET /api/events',
    ask: at('GET', ({ conversion }) => `/api/events?conversion=${conversion}`),
    ...somebodys,
  },
  { operation: 'GET /api/events', ask: at('GET', ({ batch }) => `/api/events?batch=${batch}`), ...somebodys },
  {
    operation: 'GET /api/conversions/:id/events',
    ask: at('GET', ({ conversion }) => `/api/conversions/${conversion}/events`),
    ...somebodys,
  },
  {
    operation: 'DELETE /api/conversions/:id',
    ask: at('DELETE', ({ conversion }) => `/api/conversions/${conversion}`),
    own: 204,
    other: 404,
  },
  {
    operation: 'POST /api/conversions/batch',
    ask: at('POST', () => '/api/conversions/batch', json(batchOf)),
    ...{ own: 201, other: 404 },
  },
  {
    operation: 'GET /api/conversions/batch/:id',
    ask: at('GET', ({ batch }) => `/api/conversions/batch/${batch}`),
    ...somebodys,
  },
  {
    operation: 'GET /api/conversions/batch/:id/download',
    ask: at('GET', ({ batch }) => `/api/conversions/batch/${batch}/download`),
    ...somebodys,
    guest: 401,
  },
  {
    operation: 'POST /api/conversions/zip',
    ask: at(
      'POST',
      () => '/api/conversions/zip',
      json(({ conversion }) => ({ conversionIds: [conversion] })),
    ),
    ...{ own: 201, other: 404 },
  },
  {
    operation: 'POST /api/import/url',
    ask: at(
      'POST',
      () => '/api/import/url',
      json(() => ({ url: 'http://127.0.0.1/' })),
    ),
    ...{ own: 400, other: 400 },
  },
  { operation: 'GET /api/import/providers', ask: at('GET', () => '/api/import/providers'), ...everybody },
  // Nobody has connected cloud storage here.
  {
    operation: 'POST /api/import/:provider/connect',
    ask: at(
      'POST',
      () => '/api/import/s3/connect',
      json(() => ({})),
    ),
    ...{ own: 400, other: 400, guest: 401 },
  },
  {
    operation: 'GET /api/import/:provider/callback',
    ask: at('GET', () => '/api/import/s3/callback?state=x'),
    ...{ own: 400, other: 400 },
  },
  {
    operation: 'GET /api/import/:provider/files',
    ask: at('GET', () => '/api/import/s3/files'),
    ...{ own: 404, other: 404, guest: 401 },
  },
  {
    operation: 'POST /api/import/:provider',
    ask: at(
      'POST',
      () => '/api/import/s3',
      json(() => ({ ref: 'x' })),
    ),
    ...{ own: 404, other: 404, guest: 401 },
  },
  {
    operation: 'DELETE /api/import/:provider',
    ask: at('DELETE', () => '/api/import/s3'),
    ...{ own: 404, other: 404, guest: 401 },
  },
  { operation: 'GET /api/teams', ask: at('GET', () => '/api/teams'), ...account },
  {
    operation: 'POST /api/teams',
    ask: at(
      'POST',
      () => '/api/teams',
      json(() => ({ name: 'x' })),
    ),
    ...account,
    ...{ own: 201, other: 201 },
  },
  { operation: 'GET /api/teams/invitations', ask: at('GET', () => '/api/teams/invitations'), ...account },
  {
    operation: 'POST /api/teams/invitations/:id/accept',
    ask: at('POST', ({ invitation }) => `/api/teams/invitations/${invitation}/accept`),
    ...account,
    other: 404,
    once: true,
  },
  {
    operation: 'DELETE /api/teams/invitations/:id',
    ask: at('DELETE', ({ invitation }) => `/api/teams/invitations/${invitation}`),
    ...account,
    ...{ own: 204, other: 404 },
  },
  { operation: 'GET /api/teams/:id', ask: at('GET', ({ team }) => `/api/teams/${team}`), ...account, other: 404 },
  {
    operation: 'PATCH /api/teams/:id',
    ask: at(
      'PATCH',
      ({ team }) => `/api/teams/${team}`,
      json(() => ({ name: 'y' })),
    ),
    ...account,
    other: 404,
  },
  {
    operation: 'DELETE /api/teams/:id',
    ask: at('DELETE', ({ team }) => `/api/teams/${team}`),
    ...account,
    ...{ own: 204, other: 404 },
  },
  { operation: 'GET /api/tools', ask: at('GET', () => '/api/tools'), ...everybody },
  { operation: 'GET /api/tools/:slug', ask: at('GET', () => '/api/tools/stub-to-bust'), ...everybody },
  { operation: 'GET /api/formats', ask: at('GET', () => '/api/formats'), ...everybody },
  { operation: 'GET /api/openapi.json', ask: at('GET', () => '/api/openapi.json'), ...everybody },
  {
    operation: 'POST /api/auth/register',
    ask: at(
      'POST',
      () => '/api/auth/register',
      json(() => ({ email: `row${++made}@example.org`, password: PASSWORD })),
    ),
    own: 201,
    other: 201,
  },
  {
    operation: 'POST /api/auth/login',
    ask: at(
      'POST',
      () => '/api/auth/login',
      json(() => ({ email: 'reader@example.org', password: PASSWORD })),
    ),
    ...everybody,
  },
  {
    operation: 'POST /api/auth/password-reset',
    ask: at(
      'POST',
      () => '/api/auth/password-reset',
      json(() => ({ email: 'x@example.org' })),
    ),
    own: 202,
    other: 202,
  },
  {
    operation: 'POST /api/auth/password-reset/confirm',
    ask: at(
      'POST',
      () => '/api/auth/password-reset/confirm',
      json(() => ({ token: 'x', password: PASSWORD })),
    ),
    own: 400,
    other: 400,
  },
  { operation: 'GET /api/auth/providers', ask: at('GET', () => '/api/auth/providers'), ...everybody },
  { operation: 'GET /api/auth/:provider', ask: at('GET', () => '/api/auth/nosuch'), own: 404, other: 404 },
  {
    operation: 'GET /api/auth/:provider/callback',
    ask: at('GET', () => '/api/auth/nosuch/callback'),
    own: 404,
    other: 404,
  },
  { operation: 'GET /api/users/me', ask: at('GET', () => '/api/users/me'), ...session },
  {
    operation: 'POST /api/users/me/password',
    ask: at(
      'POST',
      () => '/api/users/me/password',
      json(() => ({ currentPassword: 'wrong', password: PASSWORD })),
    ),
    ...session,
    own: 400,
    other: 400,
  },
  { operation: 'GET /api/api-keys', ask: at('GET', () => '/api/api-keys'), ...session },
  {
    operation: 'POST /api/api-keys',
    ask: at(
      'POST',
      () => '/api/api-keys',
      json(() => ({ name: 'x', expiresAt: new Date(Date.now() + 60_000).toISOString() })),
    ),
    ...session,
    own: 201,
    other: 201,
  },
  {
    operation: 'DELETE /api/api-keys/:id',
    ask: at('DELETE', ({ key }) => `/api/api-keys/${key}`),
    ...session,
    own: 204,
    other: 404,
  },
]

t.test('every endpoint has its row', async (t) => {
  const documented = resources.flatMap(({ endpoints }) => endpoints).map(({ method, path }) => `${method} ${path}`)
  const ours = documented.filter((operation) => operation.includes('/api/'))
  t.strictSame([...new Set(rows.map(({ operation }) => operation))].sort(), ours.sort())
})

t.test('on SQLite', (t) => suite(t))
t.test('on MariaDB', { timeout: 900_000 }, async (t) => {
  await using server = await startMariaDb()
  await suite(t, await server.create('owners'))
})

async function suite(t: Test, databaseUrl?: string) {
  await using service = await startService({
    env: { TRUSTED_PROXIES: '127.0.0.1', ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
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
  const [ada, bob, sue] = [await signUp(service, 'pro'), await signUp(service, 'pro'), await signUp(service, 'pro')]
  const [hers, another, his, sues] = [
    await makeKey(service, ada),
    await makeKey(service, ada),
    await makeKey(service, bob),
    await makeKey(service, sue),
  ]
  const [gina, gus] = [guest('192.0.2.1', 'gina'), guest('192.0.2.2', 'gus')]
  await users.change(sue.id, { status: 'suspended' })
  const revoked = await makeKey(service, ada)
  await call(service, 'DELETE', `/api/api-keys/${revoked.id}`, { headers: ada.session })
  const expired = await makeKey(service, ada, { expiresAt: new Date(Date.now() + 5000).toISOString() })
  const ended = await signUp(service, 'pro')
  await users.setPassword(ended.id, null)
  while ((await get(service, '/api/tools', expired.bySecret)).status === 200);

  const host = await signUp(service)
  const hosts = (await post(service, '/api/teams', { name: 'host' }, host.session)).json.team.id
  async function invite({ id, email }: Person): Promise<string> {
    const { teams, invitations } = service.kernel
    for (const role of ['none', 'member'] as const) await teams.change(host.id, hosts, { members: [{ email, role }] })
    return (await invitations.list(id))[0]!.id
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
      key: person ? (await makeKey(service, person)).id : 'key_none',
      resumable,
    }
  }

  const run = async (
    t: Test,
    title: string,
    owner: { things?: Things; make: () => Promise<Things> },
    headers: Headers,
    expected: (row: Row) => number,
  ) => {
    await t.test(title, async (t) => {
      for (const row of rows) {
        owner.things ??= await owner.make()
        const reply = await row.ask(service, owner.things, headers)
        t.equal(reply.status, expected(row), row.operation, { json: reply.json })
        // After this call, the things no longer exist.
        if (reply.status !== 204 && !(row.once && reply.status === 200)) continue
        // An account can have at most 20 teams.
        await call(service, 'DELETE', `/api/teams/${owner.things.team}`, { headers: ada.session })
        delete owner.things
      }
    })
  }
  const adas = { make: () => thingsOf(ada.session, ada) }
  const ginas = { make: () => thingsOf(gina) }

  await t.test("a user's things", async (t) => {
    await run(t, 'her session', adas, ada.session, ({ own }) => own)
    await run(t, 'her key, as x-api-key', adas, hers.bySecret, ({ own, byKey }) => byKey ?? own)
    await run(t, 'another key of hers, as bearer', adas, another.byBearer, ({ own, byKey }) => byKey ?? own)
    await run(t, 'another user', adas, bob.session, ({ other }) => other)
    await run(t, "another user's key", adas, his.bySecret, ({ other, byKey }) => byKey ?? other)
    await run(t, 'a guest', adas, gina, ({ other, guest }) => guest ?? other)
    await run(t, "another user with a guest's fingerprint", adas, { ...bob.session, ...gina }, ({ other }) => other)
    await run(t, 'a suspended user', adas, sue.session, () => 403)
    await run(t, "a suspended user's key", adas, sues.bySecret, () => 403)
    await run(t, 'a revoked key of hers', adas, revoked.bySecret, () => 401)
    await run(t, 'an expired key of hers', adas, expired.byBearer, () => 401)
    await run(t, 'an ended session', adas, ended.session, () => 401)
    await run(t, 'a download token as a session', adas, bearer(service.kernel.tokens.sign(ada.id, 'x')), () => 401)
  })

  await t.test("a guest's things", async (t) => {
    const noKeys = (row: Row) => (row.accountsOnly ? 401 : (row.guest ?? row.own))
    await run(t, 'the guest', ginas, gina, noKeys)
    await run(t, 'another guest', ginas, gus, ({ other, guest }) => guest ?? other)
    await run(
      t,
      'the same address without the fingerprint',
      ginas,
      { 'x-forwarded-for': '192.0.2.1' },
      ({ other, guest }) => guest ?? other,
    )
    await run(
      t,
      'the same fingerprint from another address',
      ginas,
      guest('192.0.2.9', 'gina'),
      ({ other, guest }) => guest ?? other,
    )
    await run(t, 'a user', ginas, ada.session, ({ other }) => other)
    await run(
      t,
      'a user with that address alone',
      ginas,
      { ...ada.session, 'x-forwarded-for': '192.0.2.1' },
      ({ other }) => other,
    )
    await run(
      t,
      'a user with that fingerprint alone',
      ginas,
      { ...ada.session, 'x-guest-fingerprint': 'gina' },
      ({ other }) => other,
    )
    await run(t, 'a key with both', ginas, { ...hers.bySecret, ...gina }, ({ other, byKey }) => byKey ?? other)
    // A guest has no keys and no teams.
    const keyOfNobody = ({ operation, own, accountsOnly }: Row) =>
      accountsOnly && /(api-keys|teams|invitations)\/:id(\/accept)?$/.test(operation) ? 404 : own
    await run(t, 'who was that guest and has signed in', ginas, { ...ada.session, ...gina }, keyOfNobody)
  })

  await t.test('signed links', async (t) => {
    const [hers_, ginas_, sues_] = [await adas.make(), await ginas.make(), await adas.make()]
    const tokenOf = ({ signed }: Things) => signed.split('?')[1]!
    const status = async (path: string, headers: Headers = {}) => (await get(service, path, headers)).status
    t.equal(await status(hers_.signed), 200, 'alone')
    t.equal(await status(hers_.signed, gus), 200, "for any guest: it is what it's for")
    t.equal(await status(hers_.signed, ada.session), 200, 'with the owner')
    t.equal(await status(hers_.signed, bob.session), 404, 'with another user')
    t.equal(await status(hers_.signed, his.bySecret), 404, "with another user's key")
    t.equal(await status(hers_.signed, sue.session), 403, 'with a suspended user')
    for (const bad of [revoked.bySecret, expired.bySecret, ended.session, bearer('none')])
      t.equal(await status(hers_.signed, bad), 401)
    t.equal(await status(`${hers_.download}?${tokenOf(ginas_)}`), 401, "another owner's on it")
    t.equal(await status(`${hers_.download}?${tokenOf(sues_)}`), 401, 'of another output of the same owner')
    t.equal(await status(`${hers_.download}?${tokenOf(ginas_)}`, ada.session), 200, 'the credential is enough')
    t.equal(await status(ginas_.signed, { ...ada.session, ...gina }), 200, 'of the guest that she was')
    await users.change(ada.id, { status: 'suspended' })
    t.equal(await status(hers_.signed), 403, 'of an account that is suspended now')
    await users.change(ada.id, { status: 'active' })
  })

  await t.test("after sign-in, the fingerprint still gives access to the guest's things", async (t) => {
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
    t.strictSame(
      await ids({ ...bob.session, ...guest('192.0.2.77', 'other') }).then((list) => list.includes(before.id)),
      false,
    )
    const more = await post(service, '/api/conversions', { fileId: before.file.fileId, toFormat: 'bust' }, signedIn)
    t.equal(more.status, 201, 'its uploads too')
    t.equal((await get(service, `/api/conversions/${more.json.conversionId}`, carla.session)).status, 200)
    const page = (await get(service, '/api/conversions?limit=2', signedIn)).json
    const next = (await get(service, `/api/conversions?limit=2&cursor=${page.nextCursor}`, signedIn)).json
    t.strictSame(
      [...page.conversions, ...next.conversions].map(({ id }: any) => id),
      [more.json.conversionId, after.id, before.id],
    )
    t.equal((await call(service, 'DELETE', `/api/conversions/${before.id}`, { headers: signedIn })).status, 204)
    t.equal((await upload(service, form(STUB), signedIn)).status, 201)
  })

  await t.test("an account's things have the retention and the limits of its plan", async (t) => {
    const free = await signUp(service, 'free')
    const { file } = await convert(service, {}, free.session)
    const { retention } = service.kernel.config
    const row = await service.kernel.files.lookUp(file.fileId)
    t.equal(row!.owner, free.id)
    const realNow = Date.now
    Date.now = () => realNow() + retention.guest + 1000
    t.equal((await get(service, file.path, free.session)).status, 200, 'longer than a guest’s')
    Date.now = () => realNow() + retention.account + 1000
    t.equal((await get(service, file.path, free.session)).status, 404)
    Date.now = realNow
    service.kernel.config.plans.free.maxFileSize = 10
    service.kernel.config.plans.business.maxFileSize = 1000
    t.equal((await upload(service, form(STUB), free.session)).status, 413)
    await users.change(free.id, { plan: 'business' })
    t.equal((await upload(service, form(STUB), free.session)).status, 201, 'the new plan at once')
  })
}
