/** OneDrive, with the answers of Microsoft Graph v1.0 (learn.microsoft.com/graph/api/resources/onedrive). */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { offering, type Question, reply, startCloud } from '../harness/servers/cloud.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { get, refusal, STUB, startService } from '../harness/service.ts'
import { visit } from './people.ts'

const items: Record<string, any> = {
  '01AB!1': { id: '01AB!1', name: 'note.stub', size: STUB.length, file: { mimeType: 'text/plain' } },
  '01AB!2': { id: '01AB!2', name: 'Folder', size: 500, folder: { childCount: 1 } },
  '01AB!3': { id: '01AB!3', name: 'ö.stub', size: STUB.length, file: {}, parent: '01AB!2' },
  '01AB!4': { id: '01AB!4', name: 'Notebook', size: 7, package: { type: 'oneNote' } },
  '01AB!5': { id: '01AB!5', name: 'gone.stub', size: 5, file: {} },
  '01AB!6': { id: '01AB!6', name: 'internal.stub', size: 5, file: {} },
}
const notFound = (res: ServerResponse) => reply(res, { error: { code: 'itemNotFound', message: 'gone' } }, 404)

/** Server for the content, which must not get the token. */
const store = await startOrigin((_req, res) => void res.end(STUB))

function api({ method, url }: Question, res: ServerResponse) {
  const [, id, action] = /^\/api\/me\/drive\/(?:items\/([^/]+)|root)(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  const key = id && decodeURIComponent(id)
  if (method !== 'GET' || (!id && action !== 'children') || (key && !items[key])) return notFound(res)
  if (action === 'children') {
    const token = url.searchParams.get('$skiptoken')
    if (token && token !== 'page2') return reply(res, { error: { code: 'invalidRequest' } }, 400)
    const all = Object.values(items).filter(({ parent }) => parent === key)
    if (key || token) return reply(res, { value: key ? all : all.slice(2) })
    // A hostile link: only its token may be used.
    const link = `http://127.0.0.2:1/steal?$skiptoken=page2&$top=1`
    return reply(res, { value: all.slice(0, 2), '@odata.nextLink': link })
  }
  if (action !== 'content') return reply(res, items[key!])
  if (key === '01AB!5') return notFound(res)
  const location = key === '01AB!6' ? 'http://127.0.0.2:1/' : `${store.base}/file?signature=1`
  return void res.writeHead(302, { location }).end()
}

const cloud = await startCloud('offline_access Files.Read', api)
const service = await startService({
  change(config) {
    config.imports.allowNetworks = ['127.0.0.1']
    config.imports.providers = offering({ onedrive: cloud.app })
  },
})
t.teardown(() => Promise.all([service, cloud, store].map((part) => part[Symbol.asyncDispose]())))
const ada = await visit(service, 'onedrive')

t.test('connecting', async (t) => {
  t.equal((await ada.connect(cloud)).status, 200)
})

t.test('listing', async (t) => {
  const first = (await ada.list()).json
  t.strictSame(first, {
    files: [
      { ref: '01AB!1', name: 'note.stub', size: STUB.length, isFolder: false },
      { ref: '01AB!2', name: 'Folder', size: null, isFolder: true },
    ],
    nextCursor: 'page2',
  })
  const second = (await ada.list({ cursor: 'page2' })).json
  // A notebook is no file.
  t.strictSame(
    second.files.map(({ name }: any) => name),
    ['gone.stub', 'internal.stub'],
  )
  t.equal(second.nextCursor, null)
  t.match((await ada.list({ folder: '01AB!2' })).json.files, [{ ref: '01AB!3', name: 'ö.stub' }])
  for (const folder of ['none', '..', '../../users', 'a/b', 'a?b']) {
    t.match(await ada.list({ folder }), refusal(404, 'NOT_FOUND'), folder)
  }
  const far = await ada.list({ cursor: 'http://127.0.0.1/x' })
  t.match(far, { status: 400, json: { error: { message: /^cursor/ } } }, 'a cursor is no URL')
})

t.test('importing', async (t) => {
  const note = await ada.take('01AB!1')
  t.match(note, { status: 201, json: { file: { originalName: 'note.stub', size: STUB.length } } })
  t.equal((await get(service, `${note.json.file.path}/download`, ada.session)).body.toString(), STUB)
  t.equal(store.requests.length, 1)
  t.equal(store.requests[0]!.headers.authorization, undefined, 'the token stays with Microsoft')
  for (const ref of ['none', '01AB!2', '01AB!4', '01AB!5', '..', 'a/content']) {
    t.match(await ada.take(ref), refusal(404, 'NOT_FOUND'), ref)
  }
  t.match(await ada.take('01AB!6'), refusal(400, 'URL_NOT_ALLOWED'), 'sent to the inside')
  cloud.expire()
  t.equal((await ada.take('01AB!1')).status, 201, 'with a token that had to be refreshed')
})

t.test('disconnecting', async (t) => {
  t.equal((await ada.disconnect()).status, 204)
  t.equal((await ada.list()).status, 404)
})
