/** Google Drive with OAuth, with the answers of its API v3 (developers.google.com/drive/api/reference/rest/v3). */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { type Cloud, offering, type Question, reply, startCloud } from '../harness/servers/cloud.ts'
import { call, get, pathOf, post, refusal, STUB, startService } from '../harness/service.ts'
import { signUp } from '../http/people.ts'
import { visit } from './people.ts'

const NATIVE = 'application/vnd.google-apps'
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

const files: Record<string, any> = {
  note1: { id: 'note1', name: 'note.stub', mimeType: 'text/plain', size: String(STUB.length) },
  fold1: { id: 'fold1', name: 'Folder', mimeType: `${NATIVE}.folder` },
  inner1: { id: 'inner1', name: 'ä/ö.stub', mimeType: 'text/plain', size: '21', parent: 'fold1' },
  link1: {
    id: 'link1',
    name: 'to the note',
    mimeType: `${NATIVE}.shortcut`,
    shortcutDetails: { targetId: 'note1', targetMimeType: 'text/plain' },
  },
  ...Object.fromEntries(
    ['document', 'spreadsheet', 'presentation', 'drawing', 'form'].map((kind) => [
      kind,
      { id: kind, name: `My ${kind}`, mimeType: `${NATIVE}.${kind}` },
    ]),
  ),
  gone1: { id: 'gone1', name: 'gone.stub', mimeType: 'text/plain', size: '5' },
  late1: { id: 'late1', name: 'late.stub', mimeType: 'text/plain', size: '5' },
}
const error = (code: number, reason: string) => ({ error: { code, message: reason, errors: [{ reason }] } })

/** The export format of each native document. */
const exported: string[] = []

function api({ method, url, body }: Question, res: ServerResponse, cloud: Cloud) {
  if (url.pathname === '/revoke') {
    cloud.revoked.push(new URLSearchParams(body).get('token')!)
    return reply(res, {})
  }
  const [, id, action] = /^\/api\/drive\/v3\/files(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  const query = Object.fromEntries(url.searchParams)
  if (method !== 'GET' || query.supportsAllDrives !== 'true') return reply(res, error(400, 'badRequest'), 400)
  if (!id) {
    const folder = /^'(.+)' in parents and trashed = false$/.exec(query.q!)?.[1]
    if (folder !== 'root' && !files[folder!]) return reply(res, error(404, 'notFound'), 404)
    if (query.pageToken && query.pageToken !== 'page 2') return reply(res, error(400, 'invalid'), 400)
    const all = Object.values(files).filter(({ parent = 'root' }) => parent === folder)
    if (folder !== 'root') return reply(res, { files: all })
    return reply(res, query.pageToken ? { files: all.slice(3) } : { files: all.slice(0, 3), nextPageToken: 'page 2' })
  }
  const file = files[id]
  if (!file) return reply(res, error(404, 'notFound'), 404)
  if (action === 'export') {
    exported.push(query.mimeType!)
    return void res.end(STUB)
  }
  if (query.alt !== 'media') return reply(res, file)
  if (id === 'gone1') return reply(res, error(404, 'notFound'), 404)
  if (file.mimeType.startsWith(NATIVE)) return reply(res, error(403, 'fileNotDownloadable'), 403)
  res.end(STUB)
  if (id === 'late1') cloud.expire()
}

const cloud = await startCloud(SCOPE, (question, res) => api(question, res, cloud))
const service = await startService({
  change(config) {
    config.imports.allowNetworks = ['127.0.0.1']
    config.imports.providers = offering({
      'google-drive': { ...cloud.app, apiUrl: `${cloud.app.apiUrl}/` },
      s3: true,
    })
  },
})
t.teardown(() => Promise.all([service, cloud].map((part) => part[Symbol.asyncDispose]())))
const ada = await visit(service, 'google-drive')

t.test('providers', async (t) => {
  const shown = async (headers = {}) => (await get(service, '/api/import/providers', headers)).json.providers
  t.match(await shown(ada.session), [
    { name: 'google-drive', label: 'Google Drive', kind: 'oauth', connected: false, fields: [] },
    { name: 's3', kind: 'credentials', connected: false, fields: [{ name: 'bucket', required: true }] },
  ])
  t.strictSame(await shown(), await shown(ada.session), 'guests see what there is')
})

t.test('providers that are not offered', async (t) => {
  for (const name of ['dropbox', '__proto__', 'url']) {
    const path = `/api/import/${name}`
    for (const answer of [
      await call(service, 'POST', `${path}/connect`, { headers: ada.session }),
      await get(service, `${path}/files`, ada.session),
      await call(service, 'DELETE', path, { headers: ada.session }),
    ])
      t.match(answer, refusal(404, 'NOT_FOUND', /google-drive, s3/), name)
  }
  t.match(await post(service, '/api/import/dropbox', { ref: 'x' }, ada.session), refusal(404, 'NOT_FOUND'))
})

t.test('only the user who started a connection can finish it', async (t) => {
  const { authorizeUrl, cookie } = await ada.begin()
  const asked = new URL(authorizeUrl).searchParams
  t.equal(asked.get('redirect_uri'), `${service.base}/api/import/google-drive/callback`)
  t.match(Object.fromEntries(asked), { access_type: 'offline', prompt: 'consent' })
  const callback = cloud.allow(authorizeUrl)
  const come = (headers: Record<string, string>, url = callback) => get(service, pathOf(url.href), headers)

  const bob = await signUp(service)
  const other = await visit(service, 'google-drive')
  const unauthorized = refusal(401, 'UNAUTHORIZED')
  t.match(await come({}), unauthorized, 'another browser')
  t.match(await come({ cookie: `${cookie.slice(0, -1)}x` }), unauthorized)
  t.match(await come({ cookie: (await other.begin()).cookie }), unauthorized, 'the cookie of another connection')
  t.match(await come(bob.session), unauthorized, 'another account')
  t.match(await come({ cookie, authorization: 'Bearer none' }), unauthorized, 'a bad credential')

  const bad = refusal(400, 'BAD_REQUEST', /^state must/)
  const altered = (change: (query: URLSearchParams) => void) => {
    const url = new URL(callback)
    change(url.searchParams)
    return come({ cookie }, url)
  }
  t.match(await altered((query) => query.delete('state')), bad)
  t.match(await altered((query) => query.set('state', `${query.get('state')!.slice(0, -2)}xx`)), bad)
  t.match(await altered((query) => query.set('state', ada.token)), bad, 'a token of another kind')
  const [, claims] = asked.get('state')!.split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  t.match(await altered((query) => query.set('state', `${none}.${claims}.`)), bad, 'without a signature')
  // Of another provider.
  t.match(await get(service, pathOf(callback.href).replace('google-drive', 's3'), { cookie }), bad)

  const said = await altered((query) => {
    query.delete('code')
    query.set('error', 'access_denied')
  })
  t.match(said, { status: 400, json: { error: { message: /access_denied/ } } }, 'the person said no')
  const wrong = await altered((query) => query.set('code', 'none'))
  t.match(wrong, refusal(502, 'IMPORT_FAILED'), 'a code that was not given')
  t.equal((await ada.list()).status, 404, 'none of these has connected anything')

  const done = await come({ cookie })
  t.match(done, { status: 200, json: { provider: { name: 'google-drive', connected: true } } })
  t.match(done.headers.get('set-cookie'), /athanor-connect=; .*Max-Age=0; HttpOnly; SameSite=Lax$/)
  t.equal((await come({ cookie })).status, 502, 'a code is good for one time')
  t.equal((await ada.list()).status, 200)
  t.equal((await other.list()).status, 404, 'nobody else is connected')

  const again = cloud.allow((await other.begin()).authorizeUrl)
  t.equal((await come(other.session, again)).status, 200, 'a client without cookies brings its credential')
  t.equal((await other.list()).status, 200)
})

t.test('listing', async (t) => {
  const first = (await ada.list()).json
  t.strictSame(first, {
    files: [
      { ref: 'note1', name: 'note.stub', size: STUB.length, isFolder: false },
      { ref: 'fold1', name: 'Folder', size: null, isFolder: true },
      { ref: 'note1', name: 'to the note', size: null, isFolder: false },
    ],
    nextCursor: 'page 2',
  })
  const second = (await ada.list({ cursor: first.nextCursor })).json
  t.match(second, { files: [{ ref: 'document', name: 'My document', size: null, isFolder: false }], nextCursor: null })
  t.match((await ada.list({ folder: 'fold1' })).json.files, [{ ref: 'inner1', name: 'ä/ö.stub', size: 21 }])
  for (const folder of ['none1', "root' or '1' = '1", '../about', "a'"]) {
    t.match(await ada.list({ folder }), refusal(404, 'NOT_FOUND'), folder)
  }
  t.match(await ada.list({ cursor: 'bad' }), refusal(400, 'BAD_REQUEST', /^cursor/))
})

t.test('importing', async (t) => {
  const note = await ada.take('note1')
  t.match(note, { status: 201, json: { file: { originalName: 'note.stub', size: STUB.length, format: 'stub' } } })
  t.equal((await get(service, `${note.json.file.path}/download`, ada.session)).body.toString(), STUB)
  t.match((await ada.take('inner1')).json, { file: { originalName: 'ö.stub' } }, 'a name is made harmless')
  for (const ref of ['none1', 'gone1', '../about', 'a b', '.']) {
    t.match(await ada.take(ref), refusal(404, 'NOT_FOUND'), ref)
  }
})

t.test('documents that are not files are exported', async (t) => {
  for (const [ref, name, mime] of [
    ['document', 'My document.docx', `${OFFICE}.wordprocessingml.document`],
    ['spreadsheet', 'My spreadsheet.xlsx', `${OFFICE}.spreadsheetml.sheet`],
    ['presentation', 'My presentation.pptx', `${OFFICE}.presentationml.presentation`],
    ['drawing', 'My drawing.pdf', 'application/pdf'],
  ] as const) {
    t.match(await ada.take(ref), { status: 201, json: { file: { originalName: name } } })
    t.equal(exported.at(-1), mime)
  }
  t.match(await ada.take('form'), refusal(400, 'UNSUPPORTED_FORMAT', /document/))
  t.match(await ada.take('fold1'), refusal(400, 'UNSUPPORTED_FORMAT'))
})

t.test('an expired access token is refreshed', async (t) => {
  const refreshes = () => cloud.grants.filter((grant) => grant === 'refresh_token').length
  let before = refreshes()
  t.equal((await ada.take('late1')).status, 201)
  t.equal((await ada.take('note1')).status, 201, 'after it died at the provider')
  t.equal(refreshes(), before + 1)

  before = refreshes()
  cloud.expire()
  const answers = await Promise.all(Array.from({ length: 5 }, () => ada.list()))
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  t.ok(refreshes() - before < 5, 'requests at the same time share a refresh')

  cloud.fault = 500
  cloud.expire()
  t.match(await ada.list(), refusal(502, 'IMPORT_FAILED'), 'a fault of theirs')
  cloud.fault = undefined
  t.equal((await ada.list()).status, 200, 'does not end the connection')

  cloud.lifetime = 30
  cloud.expire()
  t.equal((await ada.list()).status, 200)
  before = refreshes()
  t.equal((await ada.list()).status, 200)
  t.equal(refreshes(), before + 1, 'one that is about to end is not used')
  cloud.lifetime = 3600
})

t.test('a revoked permission', async (t) => {
  const eve = await visit(service, 'google-drive')
  await eve.connect(cloud)
  t.equal((await eve.list()).status, 200)
  cloud.withdraw()
  const gone = refusal(404, 'NOT_FOUND', /not connected/)
  t.match(await eve.list(), gone)
  const { grants } = cloud
  const asked = grants.length
  t.match(await eve.list(), gone)
  t.equal(grants.length, asked, 'is forgotten')
  t.equal((await eve.connect(cloud)).status, 200, 'and can be given again')
  t.equal((await eve.list()).status, 200)
})

t.test('disconnecting revokes and forgets', async (t) => {
  const eve = await visit(service, 'google-drive')
  await eve.connect(cloud)
  const token = cloud.secrets.findLast((secret) => secret.startsWith('refresh-'))!
  t.equal((await eve.disconnect()).status, 204)
  t.strictSame(cloud.revoked, [token])
  t.equal((await eve.take('note1')).status, 404)
  t.equal((await eve.disconnect()).status, 404)

  await eve.connect(cloud)
  cloud.withdraw()
  t.equal((await eve.disconnect()).status, 204, 'also when the provider does not play along')
  t.ok(service.log.some((line) => line.msg === 'permission forgotten, not revoked'))
})

t.test('no secret is logged', async (t) => {
  const log = JSON.stringify(service.log)
  t.ok(cloud.secrets.length > 10)
  for (const secret of [...cloud.secrets, cloud.app.clientSecret]) t.notOk(log.includes(secret), secret.slice(0, 8))
})
