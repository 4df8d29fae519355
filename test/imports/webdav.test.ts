/** A WebDAV server: connecting, listing and importing over HTTP. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startOrigin } from '../harness/servers/origin.ts'
import { startWebdav } from '../harness/servers/webdav.ts'
import { call, get, post, refusal, STUB, startService } from '../harness/service.ts'
import { signUp } from '../http/people.ts'

const server = await startWebdav()
const service = await startService({ change: (config) => (config.imports.allowNetworks = ['127.0.0.1']) })
t.teardown(() => Promise.all([service, server].map((part) => part[Symbol.asyncDispose]())))
const ada = await signUp(service)
const { url, username, password } = server

const connect = (body: object) => post(service, '/api/import/webdav/connect', body, ada.session)
const list = (query: Record<string, string> = {}) =>
  get(service, `/api/import/webdav/files?${new URLSearchParams(query)}`, ada.session)
const take = (ref: string) => post(service, '/api/import/webdav', { ref }, ada.session)

await mkdir(join(server.folder, 'Sub folder/ä#?%20'), { recursive: true })
await writeFile(join(server.folder, 'note.stub'), STUB)
await writeFile(join(server.folder, 'Sub folder/ä#?%20/日本 & <x>.stub'), `${STUB} deep`)
await writeFile(join(server.folder, 'empty.stub'), '')

t.test('connecting', async (t) => {
  t.match(await list(), refusal(404, 'NOT_FOUND', /not connected/))
  for (const [body, message] of [
    [{ url, username }, /^password must/],
    [{ url, username, password: 7 }, /^password must/],
    [{ url: 'nonsense', username, password }, /^url must/],
    [{ url: `${url}?a=b`, username, password }, /^url must/],
    [{ url, username: 'a:b', password }, /^username must/],
    [{ url, username, password: 'wrong' }, /does not accept the credential/],
    [{ url: `${url}none/`, username, password }, /no such WebDAV server/],
  ] as const) {
    t.match(await connect(body), { status: 400, json: { error: { code: 'BAD_REQUEST', message } } }, String(message))
  }
  for (const other of [
    url.replace('127.0.0.1', '127.0.0.2'),
    url.replace('http', 'ftp'),
    url.replace('//', '//a:b@'),
  ]) {
    const reply = await connect({ url: other, username, password })
    t.match(reply, refusal(400, 'URL_NOT_ALLOWED'), other)
  }
  t.match(await connect({ url: 'http://127.0.0.1:1024/', username, password }), { status: 502 })
  t.equal((await list()).status, 404, 'none of these is kept')
  t.match(await connect({ url: url.slice(0, -1), username, password }), { status: 200, json: { authorizeUrl: null } })
  const { providers } = (await get(service, '/api/import/providers', ada.session)).json
  t.match(
    providers.find(({ name }: any) => name === 'webdav'),
    { kind: 'credentials', connected: true },
  )
})

t.test('listing', async (t) => {
  t.strictSame((await list()).json, {
    files: [
      { ref: 'Sub folder/', name: 'Sub folder', size: null, isFolder: true },
      { ref: 'empty.stub', name: 'empty.stub', size: 0, isFolder: false },
      { ref: 'note.stub', name: 'note.stub', size: STUB.length, isFolder: false },
    ],
    nextCursor: null,
  })
  const [inner] = (await list({ folder: 'Sub folder/' })).json.files
  t.strictSame(inner, { ref: 'Sub folder/ä#?%20/', name: 'ä#?%20', size: null, isFolder: true })
  t.match((await list({ folder: inner.ref })).json.files, [{ name: '日本 & <x>.stub', size: STUB.length + 5 }])
  t.match((await list({ folder: 'Sub folder' })).json.files, [{ ref: inner.ref }], 'also without its slash')
  for (const folder of ['none/', '../', 'a/../../', './', 'Sub folder/..', 'a\\b', 'a\0b']) {
    t.match(await list({ folder }), refusal(404, 'NOT_FOUND'), JSON.stringify(folder))
  }
  for (const cursor of ['x', '-1', '1e3'])
    t.match(await list({ cursor }), { status: 400, json: { error: { message: /^cursor/ } } })
})

t.test('a large folder is listed in pages', async (t) => {
  await mkdir(join(server.folder, 'many'))
  const names = Array.from({ length: 401 }, (_, i) => `${String(i).padStart(3, '0')}.stub`)
  await Promise.all(names.map((name) => writeFile(join(server.folder, 'many', name), STUB)))
  const seen: string[] = []
  const sizes: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await list({ folder: 'many/', ...(cursor && { cursor }) })
    seen.push(...json.files.map(({ name }: any) => name))
    sizes.push(json.files.length)
    cursor = json.nextCursor
  }
  t.strictSame(seen, names)
  t.strictSame(sizes, [200, 200, 1])
})

t.test('importing', async (t) => {
  const reply = await take('Sub folder/ä#?%20/日本 & <x>.stub')
  t.equal(reply.status, 201)
  t.equal(reply.json.file.originalName, '日本 & <x>.stub')
  t.equal(reply.json.file.size, STUB.length + 5)
  const path = `${reply.json.file.path}/download`
  t.equal((await get(service, path, ada.session)).body.toString(), `${STUB} deep`, 'it is that file')
  for (const ref of ['none.stub', 'Sub folder/', 'Sub folder', '../x', '..%2fx', 'a/./b', '%2e%2e/x', 'a\nb']) {
    t.match(await take(ref), refusal(404, 'NOT_FOUND'), JSON.stringify(ref))
  }
  t.match(await take('empty.stub'), refusal(502, 'IMPORT_FAILED', /empty/))
  await writeFile(join(server.folder, 'gone.stub'), STUB)
  t.ok((await list()).json.files.some(({ ref }: any) => ref === 'gone.stub'))
  await rm(join(server.folder, 'gone.stub'))
  t.match(await take('gone.stub'), { status: 404 }, 'a file that went away after it was listed')
})

t.test('disconnecting', async (t) => {
  const disconnect = () => call(service, 'DELETE', '/api/import/webdav', { headers: ada.session })
  t.equal((await disconnect()).status, 204)
  t.match(await take('note.stub'), { status: 404, json: { error: { message: /not connected/ } } })
  t.equal((await disconnect()).status, 404)
})

t.test('a hostile server', async (t) => {
  let answer = ''
  const hostile = await startOrigin((req, res) => {
    if (answer === 'silence') return
    if (req.method === 'PROPFIND') return void res.writeHead(207).end(answer)
    res.end(STUB)
  })
  t.teardown(() => hostile[Symbol.asyncDispose]())
  const multistatus = (inner: string) => `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">${inner}</D:multistatus>`
  const file = (href: string) =>
    `<D:response><D:href>${href}</D:href><D:propstat><D:prop><D:resourcetype/><D:getcontentlength>5</D:getcontentlength>` +
    '</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>'
  answer = multistatus('')
  t.equal((await connect({ url: `${hostile.base}/base/`, username, password })).status, 200)

  const places = `/base/ok ${hostile.base}/base/absolute http://10.0.0.1/base/elsewhere /etc/passwd /base/../up %
    /base/%2e%2e/up /base/a%0Ab javascript:alert(1)`
  answer = multistatus(places.split(/\s+/).map(file).join(''))
  // What is not below the folder is left out.
  t.strictSame(
    (await list()).json.files.map(({ ref }: any) => ref),
    ['absolute', 'elsewhere', 'ok'],
  )
  const bomb = `<!DOCTYPE m [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>`
  for (const [name, text] of Object.entries({
    'no XML': 'hello',
    'cut off': multistatus(file('/base/a')).slice(0, -20),
    'entities of its own': multistatus(file('/base/&b;')).replace('?>', `?>${bomb}`),
    'entities of files': multistatus(file('/base/&c;')).replace(
      '?>',
      '?><!DOCTYPE m [<!ENTITY c SYSTEM "file:///etc/passwd">]>',
    ),
    'very deep': multistatus('<D:a>'.repeat(5000) + '</D:a>'.repeat(5000)),
    'very many': multistatus('<D:a/>'.repeat(200_000)),
    'very long': multistatus(`<D:a>${'x'.repeat(9_000_000)}</D:a>`),
  })) {
    answer = text
    t.match(await list(), refusal(502, 'IMPORT_FAILED'), name)
  }
  answer = `<a <${'x'.repeat(9_000_000)}`
  t.match(await list(), refusal(502, 'IMPORT_FAILED', /expected XML/), 'parsed while it arrives, not at its end')
  answer = 'silence'
  service.kernel.config.imports.timeout = 500
  t.match(await list(), refusal(502, 'IMPORT_FAILED', /within 0.5 seconds/))
})
