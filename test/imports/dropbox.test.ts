/** Dropbox, with the answers of its API v2 (dropbox.com/developers/documentation/http). */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { offering, type Question, reply, startCloud } from '../harness/servers/cloud.ts'
import { get, refusal, STUB, startService } from '../harness/service.ts'
import { visit } from './people.ts'

const closed = (id: string, name: string) => ({ '.tag': 'file', name, id, size: 99, is_downloadable: false })
const entries: Record<string, any> = {
  'id:note': { '.tag': 'file', name: 'note.stub', id: 'id:note', path_lower: '/note.stub', size: STUB.length },
  'id:fold': { '.tag': 'folder', name: 'Folder', id: 'id:fold', path_lower: '/folder' },
  'id:inner': { '.tag': 'file', name: 'ö.stub', id: 'id:inner', size: STUB.length, parent: 'id:fold' },
  'id:paper': { ...closed('id:paper', 'Plan.paper'), export_info: { export_as: 'html', export_options: ['html'] } },
  'id:sheet': { ...closed('id:sheet', 'Sheet.gsheet'), export_info: { export_options: ['xlsx', 'pdf'] } },
  'id:vault': closed('id:vault', 'Closed.x'),
  'id:gone': { '.tag': 'file', name: 'gone.stub', id: 'id:gone', size: 5 },
  'id:dead': { '.tag': 'deleted', name: 'dead.stub' },
}

/** Exported documents and their formats. */
const exported: unknown[] = []
const conflict = (res: ServerResponse, summary: string) =>
  reply(res, { error_summary: `${summary}/...`, error: { '.tag': 'path', path: { '.tag': 'not_found' } } }, 409)

function api({ method, url, headers, body }: Question, res: ServerResponse) {
  if (method !== 'POST') return void res.writeHead(405).end()
  if (url.pathname === '/api/2/auth/token/revoke') {
    if (body || headers['content-type']) return void res.writeHead(400).end('Bad HTTP "Content-Type"')
    cloud.revoked.push(headers.authorization!.slice(7))
    return reply(res, null as never)
  }
  if (url.pathname.startsWith('/content/2/files/')) {
    // These calls have their argument in a header, and no body.
    if (headers['content-type'] || body) return void res.writeHead(400).end('Bad HTTP "Content-Type"')
    const argument = JSON.parse(headers['dropbox-api-arg'] as string)
    const entry = entries[argument.path]
    if (!entry || argument.path === 'id:gone') return conflict(res, 'path/not_found')
    const isExport = url.pathname.endsWith('/export')
    if (isExport !== (entry.is_downloadable === false)) return conflict(res, 'unsupported_file')
    if (isExport) exported.push(argument)
    return void res.end(STUB)
  }
  if (headers['content-type'] !== 'application/json') return void res.writeHead(400).end('Bad HTTP "Content-Type"')
  const { path, cursor } = JSON.parse(body)
  if (url.pathname === '/api/2/files/get_metadata') {
    const entry = entries[path]
    return entry ? reply(res, entry) : conflict(res, 'path/not_found')
  }
  if (url.pathname === '/api/2/files/list_folder/continue') {
    if (cursor !== 'page 2') return conflict(res, 'reset')
    const rest = Object.values(entries).filter(({ parent }) => !parent)
    return reply(res, { entries: rest.slice(2), cursor: 'page 3', has_more: false })
  }
  if (path && entries[path]?.['.tag'] !== 'folder')
    return conflict(res, entries[path] ? 'path/not_folder' : 'path/not_found')
  const all = Object.values(entries).filter(({ parent = '' }) => parent === path)
  return reply(res, { entries: path ? all : all.slice(0, 2), cursor: 'page 2', has_more: !path })
}

const cloud = await startCloud('files.metadata.read files.content.read', api)
const service = await startService({
  change(config) {
    config.imports.allowNetworks = ['127.0.0.1']
    config.imports.providers = offering({ dropbox: cloud.app })
  },
})
t.teardown(() => Promise.all([service, cloud].map((part) => part[Symbol.asyncDispose]())))
const ada = await visit(service, 'dropbox')

t.test('connecting', async (t) => {
  const { authorizeUrl } = await ada.begin()
  t.equal(new URL(authorizeUrl).searchParams.get('token_access_type'), 'offline')
  t.equal((await ada.connect(cloud)).status, 200)
})

t.test('listing', async (t) => {
  const first = (await ada.list()).json
  t.strictSame(first, {
    files: [
      { ref: 'id:note', name: 'note.stub', size: STUB.length, isFolder: false },
      { ref: 'id:fold', name: 'Folder', size: null, isFolder: true },
    ],
    nextCursor: 'page 2',
  })
  const second = (await ada.list({ cursor: 'page 2' })).json
  t.equal(second.nextCursor, null)
  const sizes = second.files.map(({ name, size }: any) => `${name} ${size}`)
  const wanted = ['Plan.paper null', 'Sheet.gsheet null', 'Closed.x null', 'gone.stub 5']
  t.strictSame(sizes, wanted, 'what is deleted is not shown, and what is exported has no size yet')
  t.match((await ada.list({ folder: 'id:fold' })).json, {
    files: [{ ref: 'id:inner', name: 'ö.stub' }],
    nextCursor: null,
  })
  for (const folder of ['id:none', 'id:note', '/folder', 'id:../x']) {
    t.match(await ada.list({ folder }), refusal(404, 'NOT_FOUND'), folder)
  }
  t.match(await ada.list({ cursor: 'bad' }), { status: 400, json: { error: { message: /^cursor/ } } })
})

t.test('importing', async (t) => {
  const note = await ada.take('id:note')
  t.match(note, { status: 201, json: { file: { originalName: 'note.stub', size: STUB.length } } })
  t.equal((await get(service, `${note.json.file.path}/download`, ada.session)).body.toString(), STUB)
  for (const ref of ['id:none', 'id:gone', 'id:fold', '/note.stub', 'rev:a1c10ce0dd78', 'ns:1/x', '"}']) {
    t.match(await ada.take(ref), refusal(404, 'NOT_FOUND'), ref)
  }
  cloud.expire()
  t.equal((await ada.take('id:note')).status, 201, 'with a token that had to be refreshed')
})

t.test('documents that are not files are exported', async (t) => {
  t.match(await ada.take('id:paper'), { status: 201, json: { file: { originalName: 'Plan.html' } } })
  t.match(await ada.take('id:sheet'), { status: 201, json: { file: { originalName: 'Sheet.xlsx' } } })
  t.strictSame(exported, [{ path: 'id:paper' }, { path: 'id:sheet', export_format: 'xlsx' }])
  t.match(await ada.take('id:vault'), refusal(400, 'UNSUPPORTED_FORMAT'))
})

t.test('disconnecting', async (t) => {
  t.equal((await ada.disconnect()).status, 204)
  t.equal(cloud.revoked.length, 1)
  t.ok(cloud.secrets.includes(cloud.revoked[0]!))
  t.equal((await ada.list()).status, 404)
})
