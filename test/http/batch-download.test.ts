import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { call, form, get, pathOf, post, refusal, serviceOf, start, startBatch, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { signUp } from './people.ts'

const service = await serviceOf(t, {
  change: ({ plans, http }) => {
    http.downloads = 2
    for (const key of ['filesPerBatch', 'pendingJobs', 'conversionsPerDay', 'bytesPerDay'] as const) {
      plans.guest[key] = null
      plans.free[key] = null
    }
  },
})

interface Wanted {
  name?: string
  text?: string | Uint8Array<ArrayBuffer>
  path?: string
  options?: object
}

/** Converts these in a batch, and waits for the end. */
async function convertAll(wanted: readonly Wanted[], headers: Record<string, string> = {}) {
  const files = []
  for (const { name = 'note.stub', text = 'STUB\ntext', ...more } of wanted) {
    const { file } = (await upload(service, form(text, name), headers)).json
    files.push({ fileId: file.fileId, fileName: name, fileSize: file.size, fromFormat: file.format, ...more })
  }
  const { json } = await post(service, '/api/conversions/batch', { files, toFormat: 'bust' }, headers)
  if (!json.conversions) throw new Error(JSON.stringify(json))
  for (const { conversionId } of json.conversions)
    await get(service, `/api/conversions/${conversionId}?wait=30`, headers)
  const path = `/api/conversions/batch/${json.batchId}`
  return { path, conversions: json.conversions, batch: (await get(service, path, headers)).json.batch }
}

/** Reads a ZIP by Python: the name, the method and the content of each member. */
async function unzip(bytes: Buffer): Promise<[string, 'stored' | 'deflated', string][]> {
  const path = join(service.dataDir, 'seen.zip')
  await writeFile(path, bytes)
  const script = `
import json, sys, zipfile
zip = zipfile.ZipFile(sys.argv[1])
assert zip.testzip() is None
print(json.dumps([[i.filename, {0: 'stored', 8: 'deflated'}[i.compress_type], zip.read(i).decode('latin-1')] for i in zip.infolist()]))`
  return JSON.parse((await execa('python3', ['-c', script, path])).stdout)
}

t.test('all results come in one ZIP, with their folders, without equal names, and with what failed', async (t) => {
  const { batch } = await convertAll([
    { name: 'a.stub', path: 'holiday/day 1/a.stub' },
    { name: 'A.stub' },
    { name: 'a.stub', text: 'STUB\nanother' },
    { name: 'locked.stub', path: 'holiday/locked.stub', options: { fail: 'encrypted' } },
    { name: 'failed.txt.stub' },
    { name: 'long.stub', text: `STUB\n${'word '.repeat(50_000)}` },
  ])
  const { status, headers, body } = await get(service, pathOf(batch.outputUrl))
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'application/zip')
  t.match(headers.get('content-disposition'), /^attachment; filename="?converted-\d{4}-\d\d-\d\d\.zip/)
  t.equal(headers.get('accept-ranges'), 'none')
  const members = await unzip(body)
  t.strictSame(
    members.map(([name]) => name),
    ['holiday/day 1/a.bust', 'A.bust', 'a (2).bust', 'failed.txt.bust', 'long.bust', 'failed.txt'],
  )
  const content = (wanted: string) => members.find(([name]) => name === wanted)!
  t.match(content('a (2).bust')[2], 'another')
  t.strictSame([...new Set(members.map(([, method]) => method))], ['stored'], 'nothing is compressed for each download')
  t.match(content('failed.txt')[2], /^holiday\/locked\.stub: .+ \(ENCRYPTED_INPUT\)\r\n$/)
  const alone = await get(service, pathOf(batch.conversions[5].outputUrl))
  t.equal(content('long.bust')[2], alone.body.toString('latin1'), 'the bytes are those of the download')
})

t.test('paths never lead out of the place where they are unpacked, and each is another one', async (t) => {
  const names = {
    '../../etc/a.stub': 'etc/a.bust',
    '/etc/a.stub': 'etc/a (2).bust',
    'C:\\Windows\\..\\a.stub': 'C_/Windows/a.bust',
    './a/./b//a.stub': 'a/b/a.bust',
    'x/../../y/a.stub': 'x/y/a.bust',
    'NUL/a.stub': '_NUL/a.bust',
    'so?me*/a.stub': 'so_me_/a.bust',
    'tab\t\u202e/a.stub': 'tab/a.bust',
    'dot./a.stub': 'dot_/a.bust',
    ' /a.stub': 'a.bust',
    'ς/a.stub': 'ς/a.bust',
    'σ/a.stub': 'σ/a (2).bust',
    // One is composed, the other kept apart by a mark that is removed.
    'é/a.stub': 'é/a.bust',
    'e\u200e\u0301/a.stub': 'é/a (2).bust',
    [`${'d/'.repeat(400)}a.stub`]: `${'d/'.repeat(20)}a.bust`,
  }
  const { batch } = await convertAll(Object.keys(names).map((path) => ({ name: 'a.stub', path })))
  const made = (await unzip((await get(service, pathOf(batch.outputUrl))).body)).map(([name]) => name)
  t.strictSame(made, Object.values(names))
  const long = { fileId: 'a', fileName: 'a', fileSize: 1, fromFormat: 'stub', path: 'x'.repeat(1001) }
  const refused = await post(service, '/api/conversions/batch', { files: [long], toFormat: 'bust' })
  t.match(refused, refusal(400, 'BAD_REQUEST', /files\[0\]\.path/))
})

t.test('its link opens nothing else', async (t) => {
  const user = await signUp(service)
  const other = await signUp(service)
  const { path, batch } = await convertAll([{}], user.session)
  const download = `${path}/download`
  t.equal((await get(service, download, user.session)).status, 200)
  t.equal((await get(service, pathOf(batch.outputUrl), other.session)).status, 404)
  t.equal((await get(service, download)).status, 401)
  const token = new URL(batch.conversions[0].outputUrl).searchParams.get('token')
  t.equal((await get(service, `${download}?token=${token}`)).status, 401, 'the token of a single result')
  const zipToken = new URL(batch.outputUrl).searchParams.get('token')
  const single = `/api/files/${encodeURIComponent(batch.conversions[0].id)}/download`
  t.equal((await get(service, `${single}?token=${zipToken}`)).status, 401, 'nor the other way round')
  const head = await call(service, 'HEAD', download, { headers: user.session })
  t.strictSame([head.status, head.headers.get('content-type'), head.body.length], [200, 'application/zip', 0])
})

t.test('there is none before the end, nor when everything is deleted', async (t) => {
  const user = await signUp(service)
  const { batchId, conversions } = await startBatch(service, [{ options: { sleep: 60_000 } }], user.session)
  const path = `/api/conversions/batch/${batchId}`
  t.notOk((await get(service, path, user.session)).json.batch.outputUrl)
  t.match(await get(service, `${path}/download`, user.session), refusal(404, 'NOT_FOUND', /not all ended/))
  const one = `/api/conversions/${conversions[0].conversionId}`
  await call(service, 'DELETE', one, { headers: user.session })
  const members = await unzip((await get(service, `${path}/download`, user.session)).body)
  t.match(members, [['failed.txt', String, /\(CANCELLED\)/]])
  await call(service, 'DELETE', one, { headers: user.session })
  t.equal((await get(service, `${path}/download`, user.session)).status, 404)
})

/** Files of the service's storage that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(service.dataDir) && path.includes('outputs') ? [path] : []
    } catch {
      return []
    }
  })
}

t.test('one file is open at a time, and none when the client leaves', async (t) => {
  const text = new Uint8Array(Buffer.concat([Buffer.from('STUB\n'), randomBytes(4e6)]))
  const { batch } = await convertAll(Array.from({ length: 4 }, () => ({ text })))
  const gone = new AbortController()
  const response = await fetch(batch.outputUrl, { signal: gone.signal })
  const reader = response.body!.getReader()
  let max = 0
  for (let bytes = 0; bytes < 5e6; bytes += (await reader.read()).value!.length) max = Math.max(max, openFiles().length)
  t.ok(max <= 2, `${max} open`)
  gone.abort()
  await until(() => openFiles().length === 0)
  const places = [1, 2].map(() => get(service, pathOf(batch.outputUrl)))
  t.match(await Promise.all(places), [{ status: 200 }, { status: 200 }], 'its place is free again')
})

t.test('a result that cannot be read breaks the download', async (t) => {
  const { batch } = await convertAll([{}, {}, {}])
  const { outputFileId } = batch.conversions[1]
  rmSync(join(service.dataDir, 'files', outputFileId))
  const download = fetch(batch.outputUrl).then((response) => response.arrayBuffer())
  await t.rejects(download, /terminated/)
})

t.test('one ZIP of chosen conversions, however they were started', async (t) => {
  const user = await signUp(service)
  const zip = (conversionIds: readonly string[], headers = user.session) =>
    post(service, '/api/conversions/zip', { conversionIds }, headers)
  const first = await convertAll([{ name: 'a.stub', path: 'day 1/a.stub' }, { name: 'b.stub' }], user.session)
  const second = await convertAll([{ name: 'b.stub' }, { options: { fail: 'encrypted' } }], user.session)
  const ids = [...second.conversions, ...first.conversions].map(({ conversionId }) => conversionId)
  const { id: pending } = await start(service, { options: { sleep: 60_000 } }, user.session)
  const made = await zip([...ids, pending, 'none', ids[0]])
  t.match(made, { status: 201, json: { missing: [pending, 'none'] } })
  const members = await unzip((await get(service, pathOf(made.json.outputUrl))).body)
  // In the order of the request.
  t.strictSame(
    members.map(([path]) => path),
    ['b.bust', 'day 1/a.bust', 'b (2).bust', 'failed.txt'],
  )

  const stranger = await signUp(service)
  t.match(await zip(ids, stranger.session), refusal(404, 'NOT_FOUND'))
  t.match(await zip([pending]), refusal(404, 'NOT_FOUND', /^conversionIds: none/))
  t.match(await zip([]), refusal(400, 'BAD_REQUEST', 'conversionIds must be a list of 1 to 10000 entries'))
  t.match(await zip(Array(10_001).fill('none')), refusal(400, 'BAD_REQUEST'))
  const path = pathOf(made.json.outputUrl).split('?')[0]!
  t.equal((await get(service, path, stranger.session)).status, 404)
  t.equal((await get(service, path)).status, 401)
  t.equal((await get(service, path.replace('/download', ''), user.session)).json.batch.total, 4)

  for (const id of ids) await call(service, 'DELETE', `/api/conversions/${id}`, { headers: user.session })
  t.equal((await get(service, pathOf(made.json.outputUrl))).status, 404, 'nothing is left of it')
  await call(service, 'DELETE', `/api/conversions/${pending}`, { headers: user.session })
})
