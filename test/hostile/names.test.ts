/** Hostile names and identifiers: in paths and uploads, up to the header of the download. */
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { resources } from '../../kernel/http/resources/index.ts'
import { call, get, pathOf, post, type Reply, raw, serviceOf, start } from '../harness/service.ts'
import { signUp } from '../http/people.ts'
import { fault } from './answers.ts'
import { seed } from './random.ts'
import { full, times } from './scale.ts'

const service = await serviceOf(t, {
  change(config) {
    Object.assign(config.plans.guest, { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null })
  },
})
const person = await signUp(service, 'business')

t.test('invalid identifiers open nothing', async (t) => {
  const { file, id } = await start(service, {}, person.session)
  const encoded = [
    ...`../../athanor.sqlite ../secret /etc/passwd uploads/../../secret ${file.fileId}/../../../../../../secret`.split(
      ' ',
    ),
    ...'..\\..\\secret ....//secret file:///etc/passwd C:\\boot.ini __proto__ constructor hasOwnProperty'.split(' '),
    ...'% _ * %%% null undefined {{7*7}} conv_ key_ team_ batch_ NaN -1 0 1e9 [] {} true'.split(' '),
    'secret\u0000.png',
    `${file.fileId}\u0000`,
    "' or '1'='1",
    '" or ""="',
    `${id}\r\nX-Evil: 1`,
    `${id}\n`,
    ` ${id}`,
    `${id} `,
    id.toUpperCase(),
    `${id}/`,
    '\u202e',
    '💥',
    'x'.repeat(4096),
  ].map(encodeURIComponent)
  // Sent unchanged: double encoding, overlong and partial encoding.
  const plain = ['%252e%252e%252fsecret', '%2e%2e%2fsecret', '..%2f..%2fsecret', '%00', `${id}%00`, `${id}%0d%0aX:%201`]
  const takers = resources.flatMap(({ endpoints }) => endpoints).filter(({ path }) => path.includes(':'))
  t.ok(takers.length >= 15, `${takers.length} operations take an identifier`)
  let tried = 0
  for (const { method, path } of takers) {
    // In the fast tests, each operation gets every third one.
    const some = [...encoded, ...plain].filter((_, at) => full || (at + tried) % 3 === 0)
    for (const identifier of some) {
      const address = path.replace(/:\w+/g, identifier)
      const body = ['POST', 'PATCH'].includes(method) ? '{}' : undefined
      const headers = { ...person.session, ...(body && { 'content-type': 'application/json' }) }
      const reply = await call(service, method, address, { headers, ...(body && { body }) })
      tried++
      const name = `${method} ${address.slice(0, 90)}`
      if (fault(reply)) t.fail(`${name}: ${fault(reply)}`)
      // The body may be checked before the identifier.
      if (reply.status !== 404 && !(body && reply.status === 400)) t.fail(`${name}: ${reply.status}`)
      if (reply.headers.get('x-evil') ?? reply.headers.get('x')) t.fail(`${name}: a header of the client's`)
    }
  }
  t.ok(tried > 250, `${tried} requests`)
  t.equal((await get(service, `/api/conversions/${id}`, person.session)).status, 200, 'what was asked around is there')
})

t.test('paths as sent on the wire', async (t) => {
  const wanted: [path: string, status: number][] = [
    ['/../../../etc/passwd', 404],
    ['/api/../../etc/passwd', 404],
    ['/api/files/../../../etc/passwd', 404],
    ['/api/files/..%2f..%2fsecret/download', 401],
    ['//evil.example/api/tools', 404],
    ['/api//tools', 404],
    ['/api/tools/', 200],
    ['/api/tools/.', 404],
    ['/api/tools;x=1', 404],
    ['/api/files/%ff%fe/download', 400],
    ['http://evil.example/api/formats', 200],
    ['*', 404],
    ['/api/tools?limit=x#y', 400],
  ]
  for (const [path, status] of wanted) {
    const reply = await raw(service.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    t.equal(reply.status, status, path)
    t.notMatch(reply.text, /root:x:|evil\.example/, path)
  }
})

const boundary = 'b0undary'

/** Uploads a stub with these bytes as its file name in the form. */
async function uploadAs(name: Buffer): Promise<Reply> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`
  const quoted = Buffer.from(name.toString('latin1').replace(/["\\]/g, '\\$&'), 'latin1')
  return call(service, 'POST', '/api/uploads', {
    body: new Uint8Array(
      Buffer.concat([Buffer.from(head), quoted, Buffer.from(`"\r\n\r\nSTUB\ntext\r\n--${boundary}--\r\n`)]),
    ),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
}

/** Returns each header line of a download that contains the file name, as raw bytes. */
async function dispositionOf(url: string): Promise<string[]> {
  const reply = await raw(service.port, `GET ${pathOf(url)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return reply.head.split('\r\n').filter((line) => /evil|disposition/i.test(line))
}

/** Matches one attachment in plain ASCII with a name that is harmless to every system and terminal. */
function wrongName(lines: string[]): string | undefined {
  const [line = '', ...more] = lines
  if (more.length) return `several lines: ${lines}`
  const match =
    /^Content-Disposition: attachment; filename=("[ !#-[\]-~]+"|[\w!#$&'+.^`|~-]+); filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/i.exec(
      line,
    )
  if (!match) return `not well-formed: ${line}`
  for (const name of [match[1]!.replaceAll('"', ''), decodeURIComponent(match[2]!)]) {
    if (/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff/\\:*?<>|"%]/u.test(name) || name !== name.normalize('NFC'))
      return `characters in ${line}`
    if (name.startsWith('.') || Buffer.byteLength(name) > 1000) return `name ${line}`
    if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)) return `a device of Windows: ${line}`
  }
  return undefined
}

/** Says what is wrong with a name between upload and download. */
async function fate(name: Buffer): Promise<string | undefined> {
  const uploaded = await uploadAs(name)
  if (uploaded.status === 400 && !fault(uploaded)) return undefined
  if (uploaded.status !== 201) return `upload: ${uploaded.status}`
  const { fileId, originalName } = uploaded.json.file
  if (!/^uploads\/\d{4}\/\d\d\/\d\d\/[0-9a-f]{32}\/[A-Za-z0-9_][A-Za-z0-9._-]*\.stub$/.test(fileId))
    return `key ${fileId}`
  const root = join(service.dataDir, 'files')
  if (!resolve(root, fileId).startsWith(`${root}/uploads/`)) return `key ${fileId}`
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(originalName)) return `shown as ${JSON.stringify(originalName)}`
  const started = await post(service, '/api/conversions', { fileId, toFormat: 'bust' })
  const { conversion } = (await get(service, `/api/conversions/${started.json.conversionId}?wait=30`)).json
  if (conversion?.status !== 'completed') return `conversion: ${JSON.stringify(conversion ?? started.json)}`
  if (!/^outputs\/[A-Za-z0-9._/-]+\.bust$/.test(conversion.outputFileId)) return `key ${conversion.outputFileId}`
  return wrongName(await dispositionOf(conversion.outputUrl))
}

t.test('file names, from the form to the header of the download', async (t) => {
  const texts = [
    ...'-rf --help -o/etc/passwd |id `id` $(id).png ;id @/etc/passwd mvg:x http://x/y {{7*7}} =cmd|x'.split(' '),
    ...'../../../etc/passwd ..\\..\\x /etc/passwd C:\\x . .. ... .htaccess .bashrc ~root a:b'.split(' '),
    ...'CON nul Aux.txt com1.stub LPT9 ＣＯＮ ﬁ 💥 a"b a\'b a;filename=b.exe a%0d%0ab %2e%2e%2f a=?utf-8?q?b?='.split(
      ' ',
    ),
    'a\u0000b',
    'a\u0000.png',
    'a\tb',
    'a\u007fb',
    'a\u001b[31mb',
    '\u202egnp.stub',
    'a\u2066b\u2069',
    '\ufeffa',
    // Look-alikes of separators, quotes and dots; a mark that keeps a letter and its accent apart.
    ...[
      '‥／‥／x',
      '＼＼host＼x',
      '․bashrc',
      'C：x',
      'a＂; filename=b.exe',
      '％2e％2e',
      'a\u061cb',
      'e\u200e\u0301',
    ].flatMap((name) => [name, name]),
    'a\u200fb',
    'a\u2028b',
    '\ud83d',
    '\u202e',
    '&& id',
    ' a ',
    'a.',
    'a. .',
    '',
    'a.stub.stub.bust',
    'x'.repeat(4096),
    '.'.repeat(4096),
    '日'.repeat(1300),
    `${'x'.repeat(250)}.stub`,
  ]
  const latin = [[0xff, 0xfe], [0xc0, 0xae, 0xc0, 0xae], [0xe9], [0x80, 0x81], [0xed, 0xa0, 0x80]]
  const given = [...texts.map((text) => Buffer.from(text)), ...latin.map((bytes) => Buffer.from(bytes))]
  for (const name of given.filter((_, at) => full || at % 2 === 0)) {
    t.equal(await fate(name), undefined, JSON.stringify(name.toString('latin1').slice(0, 40)))
  }
  const one = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => Buffer.from(text)),
    fc
      .string({ unit: fc.constantFrom('.', '/', '\\', '"', '%', '\r', '\n', '\u202e', 'a', ';', '=', ' ') })
      .map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  )
  // A line break would end the header of the part, and so change the form.
  const onOneLine = one.filter((bytes) => !bytes.includes(13) && !bytes.includes(10))
  const property = fc.asyncProperty(onOneLine, async (name) => {
    const wrong = await fate(name)
    if (wrong) throw new Error(`${JSON.stringify(name.toString('latin1'))}: ${wrong}`)
  })
  await fc.assert(property, { seed, numRuns: times(10, 200) })
})

t.test('fileName of a conversion and of a batch', async (t) => {
  const { file } = await start(service)
  const names = [
    'a\r\nX-Evil: 1',
    'a\nSet-Cookie: evil=1',
    '\r\n\r\n<html>evil',
    'a\u0000b',
    '"; filename="b.exe',
    '../../x',
    'nul',
    '\u202egpj',
    '\ud800',
    '💥'.repeat(60),
    '-rf',
    '.',
  ]
  for (const fileName of names) {
    const started = await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', fileName })
    t.equal(started.status, 201, JSON.stringify(fileName))
    const { conversion } = (await get(service, `/api/conversions/${started.json.conversionId}?wait=30`)).json
    t.equal(wrongName(await dispositionOf(conversion.outputUrl)), undefined, JSON.stringify(fileName))
  }
})
