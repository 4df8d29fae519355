/** What every driver of resumable uploads does, as clients see it. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Config } from '../../config/config.ts'
import { call, form, get, raw, refusal, type Service, STUB, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { begin, head, offsetOf, placeOf, send, TUS } from './tus.ts'

/** A service with resumable uploads, and looks behind it. */
export interface ServiceOfUploads extends AsyncDisposable {
  /** Where clients send their requests. */
  service: Service
  /** Folder of stored files. */
  files: string
  /** Lists what is stored of unfinished uploads. */
  stored(): Promise<string[]>
  /** Returns how many bytes of the only upload that is under way have reached the disk. */
  arrived(path: string): Promise<number>
}

/** The checksum of a part, as its header. */
const checksum = (text: string, name = 'sha256') => `${name} ${createHash(name).update(text).digest('base64')}`

const LARGE = `STUB\n${'x'.repeat(300_000)}`

/** @param open Starts a service whose configuration is changed. */
export async function suite(
  t: Test,
  open: (change: (config: Config) => void) => Promise<ServiceOfUploads>,
): Promise<void> {
  const place = await open(({ plans }) => (plans.guest.maxFileSize = 1_000_000))
  t.teardown(() => place[Symbol.asyncDispose]())
  const { service, files, stored, arrived } = place

  /** Begins a part, whose bytes are written later. */
  function sendSlowly(path: string, more: Record<string, string> = {}) {
    const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': 0, ...more }
    return request({ port: service.port, method: 'PATCH', path, headers }).on('error', () => {})
  }
  const ofLarge = { 'content-length': `${LARGE.length}` }

  t.test('a file arrives in parts, and is what an upload is', async (t) => {
    const begun = await begin(service, LARGE.length)
    t.match(begun, { status: 201, body: { length: 0 } })
    t.match(Object.fromEntries(begun.headers), { 'tus-resumable': '1.0.0', 'upload-expires': / GMT$/ })
    t.notMatch(begun.headers.get('location'), /^\/|guest/, 'the location is relative and has no owner')
    const path = placeOf(begun)
    const first = await send(service, path, 0, LARGE.slice(0, 100_000))
    t.match(first, { status: 204, body: { length: 0 } })
    t.equal(first.headers.get('upload-offset'), '100000')
    const shown = await head(service, path)
    t.match(Object.fromEntries(shown.headers), {
      'upload-offset': '100000',
      'upload-length': String(LARGE.length),
      'cache-control': 'no-store',
    })
    t.equal((await get(service, path)).status, 404, 'not complete')
    const last = await send(service, path, 100_000, LARGE.slice(100_000))
    const whole = await upload(service, form(LARGE))
    t.equal(last.status, 200)
    t.match(last.json, { ...whole.json, file: { ...whole.json.file, fileId: String, path: String } })
    t.strictSame((await get(service, path)).json, last.json, 'GET gives it again')
    t.equal(await offsetOf(service, path), LARGE.length)
    t.strictSame((await send(service, path, LARGE.length, '')).json, last.json, 'an empty part, too')
    t.strictSame(await stored(), [], 'the parts are gone')
    t.equal((await call(service, 'DELETE', path, { headers: TUS })).status, 204)
    t.equal((await get(service, path)).status, 404)
    t.equal((await get(service, last.json.file.path)).status, 200, 'the file stays')
  })

  t.test('what does not fit the plan is refused before a byte', async (t) => {
    t.match(await begin(service, 1_000_001), refusal(413, 'FILE_TOO_LARGE', /1 MB/))
    const path = placeOf(await begin(service, 'later'))
    const { headers } = await head(service, path)
    t.equal(headers.get('upload-defer-length'), '1')
    t.match(await send(service, path, 0, 'STUB', { 'upload-length': '2000000' }), { status: 413 })
    t.match(await send(service, path, 0, 'x'.repeat(1_000_001)), { status: 413 })
    t.equal(await offsetOf(service, path), 0)
    const sent = sendSlowly(path)
    // Without a length, and without an end.
    for (let mb = 0; mb < 3; mb++) sent.write('x'.repeat(1e6))
    const [answer] = await once(sent, 'response')
    t.equal(answer.statusCode, 413)
    sent.destroy()
    t.ok((await offsetOf(service, path)) <= 1_000_000)
  })

  t.test('a length that comes later', async (t) => {
    const path = placeOf(await begin(service, 'later'))
    t.equal((await send(service, path, 0, STUB.slice(0, 10))).status, 204)
    const length = { 'upload-length': `${STUB.length}` }
    t.equal((await send(service, path, 10, STUB.slice(10, 15), length)).status, 204)
    t.match(await send(service, path, 15, STUB.slice(15), { 'upload-length': '99' }), { status: 400 }, 'it is fixed')
    const last = await send(service, path, 15, STUB.slice(15), length)
    t.match(last, { status: 200, json: { file: { format: 'stub', size: STUB.length } } }, 'it may come again')
    t.strictSame((await send(service, path, STUB.length, '', length)).json, last.json, 'also when all has arrived')
  })

  t.test('mistakes in the protocol', async (t) => {
    const path = placeOf(await begin(service, 100))
    const create = '/api/uploads/tus'
    const bad = 'BAD_REQUEST'
    const bare = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      call(service, method, path, { headers, ...(body && { body }) })
    const type = { 'content-type': 'application/offset+octet-stream' }
    const refusals: [string, Promise<any>, number, string?][] = [
      ['an offset that is not the end', send(service, path, 5, 'x'), 409, 'OFFSET_MISMATCH'],
      ['no version', bare('POST', create, { 'upload-length': '5' }), 412, 'PRECONDITION_FAILED'],
      ['no length', bare('POST', create, TUS), 400, bad],
      ['an empty file', begin(service, 0), 400, bad],
      ['metadata that is none', begin(service, 5, { 'upload-metadata': 'filename !!' }), 400, bad],
      ['concatenation', begin(service, 5, { 'upload-concat': 'partial' }), 400, bad],
      ['no offset', bare('PATCH', path, { ...TUS, ...type }, 'x'), 400, bad],
      ['text', send(service, path, 0, 'x', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['an unknown checksum', send(service, path, 0, 'x', { 'upload-checksum': 'md5 aaaa' }), 400, bad],
      ['a name that is none', head(service, '/api/uploads/tus/..%2f..%2fx'), 404],
    ]
    for (const [name, reply, status, code] of refusals) {
      const { json, headers, ...rest } = await reply
      t.equal(rest.status, status, name)
      t.equal(headers.get('tus-resumable'), '1.0.0', `${name}: the version`)
      if (code) t.equal(json.error.code, code, json.error.message)
    }
    t.equal(await offsetOf(service, path), 0)
  })

  t.test('OPTIONS shows what clients can use', async (t) => {
    const { status, headers } = await call(service, 'OPTIONS', '/api/uploads/tus')
    t.equal(status, 204)
    t.match(Object.fromEntries(headers), {
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-defer-length,termination,expiration,checksum',
      'tus-max-size': '1000000',
      'tus-checksum-algorithm': 'sha256,sha1',
      allow: String,
    })
  })

  t.test('a part with a wrong checksum is dropped', async (t) => {
    const path = placeOf(await begin(service, STUB.length))
    const wrong = await send(service, path, 0, STUB, { 'upload-checksum': checksum('something else') })
    t.match(wrong, refusal(460, 'CHECKSUM_MISMATCH'))
    t.equal(await offsetOf(service, path), 0)
    const last = await send(service, path, 0, STUB, { 'upload-checksum': checksum(STUB, 'sha1') })
    t.equal(await readFile(join(files, last.json.file.fileId), 'utf8'), STUB)
  })

  t.test('names are what they are in an upload', async (t) => {
    const long = `${'n'.repeat(3000)}.stub`
    for (const name of ['../../etc/passwd.stub', 'ünï\u202etxt.stub', long, '__proto__', '']) {
      const path = placeOf(await begin(service, STUB.length, {}, name))
      const { json } = await send(service, path, 0, STUB)
      const plain = await upload(service, form(STUB, name || 'file'))
      t.equal(json.file?.originalName, plain.json.file.originalName, name.slice(0, 40))
    }
    const longer = placeOf(await begin(service, STUB.length, {}, '\u0001'.repeat(11_300)))
    t.equal((await send(service, longer, 0, STUB)).status, 200, 'a name that is much longer as JSON')
  })

  t.test('a file that is not recognised is refused, also when it is asked for again', async (t) => {
    const before = await stored()
    const path = placeOf(await begin(service, 13, {}, 'x.xyz'))
    for (const reply of [await send(service, path, 0, 'nothing known'), await get(service, path)]) {
      t.match(reply, refusal(400, 'UNSUPPORTED_FORMAT'))
    }
    t.strictSame(await stored(), before, 'its bytes are gone')
  })

  /** What clients do at the same time as the one that sends the last part. */
  const meanwhile = (path: string) => [
    () => get(service, path),
    () => send(service, path, STUB.length, '', { 'upload-checksum': checksum('') }),
    () => send(service, path, STUB.length, ''),
  ]

  t.test('an upload becomes one file, whatever other requests ask of it in that moment', async (t) => {
    const answers = new Set<string>()
    for (let round = 0; round < 15; round++) {
      const path = placeOf(await begin(service, STUB.length))
      let isOver = false
      const last = send(service, path, 0, STUB).finally(() => (isOver = true))
      const others = meanwhile(path).map(async (ask) => {
        for (;;) {
          const wasOver = isOver
          const reply = await ask()
          // Before the last part, it is not complete.
          if (wasOver || ![404, 409].includes(reply.status)) return reply
        }
      })
      const replies = await Promise.all([last, ...others])
      const [first] = replies
      for (const { status, json } of replies)
        answers.add(`${status} ${json.file?.fileId === first!.json.file.fileId ? 'the file' : JSON.stringify(json)}`)
    }
    t.strictSame([...answers], ['200 the file'])
  })

  t.test('an upload that is given up in that moment is a file or gone', async (t) => {
    const answers = new Set<number>()
    for (let round = 0; round < 15; round++) {
      const path = placeOf(await begin(service, STUB.length))
      const giveUp = () => call(service, 'DELETE', path, { headers: TUS })
      const asked = [() => send(service, path, 0, STUB), ...meanwhile(path), giveUp].map((ask) => ask())
      for (const { status } of await Promise.all(asked)) answers.add(status)
      // What was asked for after all others.
      t.ok([204, 404].includes((await giveUp()).status))
    }
    t.strictSame([...answers.difference(new Set([200, 204, 404, 409]))], [])
  })

  t.test('a connection that breaks loses nothing that has arrived', async (t) => {
    const path = placeOf(await begin(service, LARGE.length))
    const sent = sendSlowly(path, ofLarge)
    sent.write(LARGE.slice(0, 200_000))
    await until(async () => (await arrived(path)) > 0)
    sent.destroy()
    const offset = await offsetOf(service, path)
    t.ok(offset > 0 && offset <= 200_000, `${offset} bytes`)
    t.equal((await send(service, path, offset, LARGE.slice(offset))).status, 200)
  })

  t.test('a newer request takes the upload over from an older one', async (t) => {
    const path = placeOf(await begin(service, LARGE.length))
    const stuck = sendSlowly(path, ofLarge)
    stuck.write(LARGE.slice(0, 100_000))
    await until(async () => (await arrived(path)) >= 100_000)
    const offset = await offsetOf(service, path)
    t.equal(offset, 100_000)
    t.equal((await send(service, path, offset, LARGE.slice(offset))).status, 200)
    stuck.destroy()
  })

  t.test('the service invites a body that waits for it', async (t) => {
    const path = placeOf(await begin(service, STUB.length))
    const type = 'Content-Type: application/offset+octet-stream'
    const lines = ['Host: localhost', 'Tus-Resumable: 1.0.0', 'Upload-Offset: 0', type, 'Expect: 100-continue']
    const head = [`PATCH ${path} HTTP/1.1`, ...lines, `Content-Length: ${STUB.length}`].join('\r\n')
    const { text } = await raw(service.port, `${head}\r\n\r\n`, 200, STUB)
    t.match(text, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/)
  })

  t.test('an upload without a length counts, too, and nothing of it stays when it does not fit', async (t) => {
    await using place = await open(({ plans }) => (plans.guest.storedBytes = 1000))
    const { service: small } = place
    const full = refusal(429, 'QUOTA_EXCEEDED')
    const declared = placeOf(await begin(small, 'later'))
    t.match(await send(small, declared, 0, 'STUB', { 'upload-length': '5000' }), full)
    t.equal((await send(small, declared, 0, 'STUB')).status, 404)
    const endless = placeOf(await begin(small, 'later'))
    t.equal((await send(small, endless, 0, 'x'.repeat(600))).status, 204)
    t.match(await send(small, endless, 600, 'x'.repeat(600)), full)
    t.equal((await send(small, endless, 600, 'x')).status, 404, 'it cannot go on')
    t.strictSame(await place.stored(), [])
    const half = placeOf(await begin(small, 'later'))
    t.equal((await send(small, half, 0, 'x'.repeat(300), { 'upload-length': '600' })).status, 204)
    t.match(await begin(small, 500), full, 'its whole length counts')
  })

  t.test('an owner has at most 100 unfinished uploads', async (t) => {
    await using place = await open(() => {})
    const beginAnother = () => begin(place.service, STUB.length)
    const begun = await Promise.all(Array.from({ length: 100 }, beginAnother))
    t.strictSame([...new Set(begun.map(({ status }) => status))], [201])
    const refused = await beginAnother()
    t.match(refused, refusal(429, 'QUOTA_EXCEEDED', /At most 100 unfinished uploads/))
    t.ok(Number(refused.headers.get('retry-after')) > 86_000, 'until the first one expires')
    t.equal((await begin(place.service, 5, { 'x-guest-fingerprint': 'other' })).status, 201, 'others have their own')
    t.equal((await send(place.service, placeOf(begun[0]!), 0, STUB)).status, 200)
    t.equal((await beginAnother()).status, 201, 'a finished one does not count')
  })

  t.test('a part that is sent again counts once, also while the length is not known', async (t) => {
    await using place = await open(({ plans }) => (plans.guest.storedBytes = 1000))
    const path = placeOf(await begin(place.service, 'later'))
    const part = 'STUB\n'.repeat(80)
    const sum = (text: string) => ({ 'upload-checksum': checksum(text) })
    for (let attempt = 0; attempt < 4; attempt++)
      t.match(await send(place.service, path, 0, part, sum('something else')), { status: 460 })
    t.equal((await send(place.service, path, 0, part, sum(part))).status, 204)
    t.match(await begin(place.service, 601), { status: 429 }, 'the part counts')
    const last = await send(place.service, path, 400, part, { 'upload-length': '800' })
    t.match(last, { status: 200, json: { file: { size: 800 } } })
    t.match(await upload(place.service, form(`STUB\n${'x'.repeat(196)}`)), { status: 429 }, 'all of it counts')
    t.equal((await upload(place.service, form(`STUB\n${'x'.repeat(195)}`))).status, 201)
  })
}
