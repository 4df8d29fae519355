/** A bucket: connecting, listing and importing over HTTP. */
import t from 'tap'
import { startObjectStore } from '../harness/servers/object-store.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { get, post, refusal, STUB, startService } from '../harness/service.ts'
import { signUp } from '../http/people.ts'

const [store, service] = await Promise.all([
  startObjectStore(),
  startService({ change: (config) => (config.imports.allowNetworks = ['127.0.0.1']) }),
])
t.teardown(() => Promise.all([service, store].map((part) => part[Symbol.asyncDispose]())))
const ada = await signUp(service)
const { endpoint, region, accessKeyId, secretAccessKey } = store
const bucket = 'ada-files'
const good = { endpoint, region, bucket, accessKeyId, secretAccessKey }

const connect = (body: object) => post(service, '/api/import/s3/connect', body, ada.session)
const list = (query: Record<string, string> = {}) =>
  get(service, `/api/import/s3/files?${new URLSearchParams(query)}`, ada.session)
const take = (ref: string) => post(service, '/api/import/s3', { ref }, ada.session)

const odd = "Ü ü+=&<x>'()!*~%20#?.stub"
const encoded = encodeURIComponent(odd).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

t.test('a bucket with objects', async (t) => {
  t.equal(await store.send('PUT', `/${bucket}`), 200)
  for (const path of ['note.stub', 'dir/', 'dir/inner.stub', 'dir/deep/x.stub', `odd%20dir/${encoded}`]) {
    const body = path.endsWith('/') ? '' : `${STUB} ${path}`
    t.equal(await store.send('PUT', `/${bucket}/${path}`, body), 200, path)
  }
})

t.test('connecting', async (t) => {
  for (const [body, message] of [
    [{ ...good, bucket: undefined }, /^bucket must/],
    [{ ...good, bucket: '../x' }, /^bucket must/],
    [{ ...good, region: 'a b' }, /^region must/],
    [{ ...good, accessKeyId: 'a\nb' }, /^accessKeyId must/],
    [{ ...good, endpoint: `${endpoint}/path` }, /^endpoint must/],
    [{ ...good, endpoint: 'nonsense' }, /^endpoint must/],
    [{ ...good, secretAccessKey: 'wrong' }, /does not accept the credential/],
    [{ ...good, accessKeyId: 'athanor:bob' }, /does not accept the credential/],
    [{ ...good, bucket: 'none' }, /no such S3 bucket/],
  ] as const) {
    t.match(await connect(body), { status: 400, json: { error: { code: 'BAD_REQUEST', message } } }, String(message))
  }
  for (const other of [endpoint.replace('127.0.0.1', '127.0.0.2'), 'http://169.254.169.254', 'file:///etc']) {
    const reply = await connect({ ...good, endpoint: other })
    t.match(reply, refusal(400, 'URL_NOT_ALLOWED', /^endpoint /), other)
  }
  t.equal((await list()).status, 404, 'none of these is kept')
  t.match(await connect(good), { status: 200, json: { authorizeUrl: null } })
})

t.test('listing', async (t) => {
  t.strictSame((await list()).json, {
    files: [
      { ref: 'dir/', name: 'dir', size: null, isFolder: true },
      { ref: 'odd dir/', name: 'odd dir', size: null, isFolder: true },
      { ref: 'note.stub', name: 'note.stub', size: STUB.length + 10, isFolder: false },
    ],
    nextCursor: null,
  })
  t.match((await list({ folder: 'dir/' })).json.files, [
    { ref: 'dir/deep/', name: 'deep', isFolder: true },
    { ref: 'dir/inner.stub', name: 'inner.stub', isFolder: false },
  ])
  t.match((await list({ folder: 'odd dir/' })).json.files, [{ ref: `odd dir/${odd}`, name: odd }])
  t.strictSame((await list({ folder: 'none/' })).json.files, [], 'a bucket has no folders that could be missing')
})

t.test('a large folder is listed in pages', async (t) => {
  const names = Array.from({ length: 201 }, (_, i) => `many/${String(i).padStart(3, '0')}.stub`)
  for (let i = 0; i < names.length; i += 10)
    await Promise.all(names.slice(i, i + 10).map((name) => store.send('PUT', `/${bucket}/${name}`, STUB)))
  const first = (await list({ folder: 'many/' })).json
  t.equal(first.files.length, 200)
  const second = (await list({ folder: 'many/', cursor: first.nextCursor })).json
  t.equal(second.nextCursor, null)
  t.strictSame(
    [...first.files, ...second.files].map(({ ref }: any) => ref),
    names,
  )
})

t.test('importing', async (t) => {
  for (const [ref, name, path] of [
    ['note.stub', 'note.stub', 'note.stub'],
    ['dir/inner.stub', 'inner.stub', 'dir/inner.stub'],
    [`odd dir/${odd}`, odd, `odd%20dir/${encoded}`],
  ] as const) {
    const reply = await take(ref)
    t.match(reply, { status: 201, json: { file: { originalName: name, size: STUB.length + 1 + path.length } } }, ref)
    const download = await get(service, `${reply.json.file.path}/download`, ada.session)
    t.equal(download.body.toString(), `${STUB} ${path}`, 'it is that object')
  }
  for (const ref of ['none.stub', 'dir/', '../ready/x', 'dir/../note.stub', './note.stub', 'a\0b']) {
    t.match(await take(ref), refusal(404, 'NOT_FOUND'), JSON.stringify(ref))
  }
  t.equal(await store.send('DELETE', `/${bucket}/note.stub`), 204)
  t.match(await take('note.stub'), { status: 404 }, 'an object that went away after it was listed')
})

t.test('a server that redirects the signed request elsewhere', async (t) => {
  const secret = await startOrigin((_req, res) => void res.end(STUB))
  const hostile = await startOrigin((req, res) => {
    if (req.url!.includes('list-type')) return void res.end('<ListBucketResult/>')
    res.writeHead(307, { location: `${secret.base}/x` }).end()
  })
  t.equal((await connect({ ...good, endpoint: hostile.base })).status, 200)
  t.match(await take('a.stub'), refusal(502, 'IMPORT_FAILED', /307/))
  t.equal(secret.requests.length, 0, 'is not followed')
  for (const part of [secret, hostile]) await part[Symbol.asyncDispose]()
})
