/** Hostile names and identifiers: in paths and uploads, up to the header of the download. */
import fc from 'fast-check'
import t from 'tap'
import { isMade, storageKey } from '../../kernel/files/storage/keys.ts'
import { displayName, extensionOf, stemOf } from '../../kernel/files/uploads/display-name.ts'
import { folderOf } from '../../kernel/files/uploads/portable-name.ts'
import { attachment } from '../../kernel/http/answer/disposition.ts'
import { resources } from '../../kernel/http/resources/index.ts'
import { call, finish, get, pathOf, post, raw, serviceOf, start } from '../harness/service.ts'
import { signUp } from '../http/people.ts'
import { fault } from './answers.ts'
import { seed } from './random.ts'
import { full, times } from './scale.ts'

const service = await serviceOf(t, {
  change(config) {
    Object.assign(config.plans.guest, { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null })
  },
})

t.test('invalid identifiers open nothing', async (t) => {
  const person = await signUp(service, 'business')
  const { file, id } = await start(service, {}, person.session)
  const encoded = [
    ...'../../athanor.sqlite /etc/passwd uploads/../../secret ..\\..\\secret file:///etc/passwd __proto__ % _ *'.split(
      ' ',
    ),
    ...'constructor null {{7*7}} conv_ key_ team_ batch_ NaN -1 [] {} true \u202e 💥'.split(' '),
    ...[`${file.fileId}/../../../../secret`, `${file.fileId}\u0000`, 'secret\u0000.png', "' or '1'='1", '" or ""="'],
    ...[`${id}\r\nX-Evil: 1`, `${id}\n`, ` ${id}`, id.toUpperCase(), `${id}/`, 'x'.repeat(4096)],
  ].map(encodeURIComponent)
  // Sent unchanged: double encoding, overlong and partial encoding.
  const plain = ['%252e%252e%252fsecret', '..%2f..%2fsecret', '%00', `${id}%00`, `${id}%0d%0aX:%201`]
  const takers = resources.flatMap(({ endpoints }) => endpoints).filter(({ path }) => path.includes(':'))
  t.ok(takers.length >= 15, `${takers.length} operations take an identifier`)
  let tried = 0
  for (const { method, path } of takers) {
    // In the fast tests, each operation gets some of them in turn.
    const some = [...encoded, ...plain].filter((_, at) => full || (at + tried) % 8 === 0)
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
  t.ok(tried > 75, `${tried} requests`)
  t.equal((await get(service, `/api/conversions/${id}`, person.session)).status, 200, 'what was asked around is there')
})

t.test('paths as sent on the wire', async (t) => {
  const wanted: [path: string, status: number][] = [
    ['/../../../etc/passwd', 404],
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

const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/u
const DISPOSITION =
  /^attachment; filename=("[ !#-[\]-~]+"|[\w!#$&'+.^`|~-]+); filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/i

/** Says what is wrong with the header of a download: both names must be harmless to every system and terminal. */
function wrongHeader(header: string): string | undefined {
  const match = DISPOSITION.exec(header)
  if (!match) return `not well-formed: ${header}`
  for (const name of [match[1]!.replaceAll('"', ''), decodeURIComponent(match[2]!)]) {
    if (UNSEEN.test(name) || /[/\\:*?<>|"%]/.test(name) || name !== name.normalize('NFC'))
      return `characters: ${header}`
    if (name.startsWith('.') || Buffer.byteLength(name) > 1000) return `name: ${header}`
    if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)) return `a device of Windows: ${header}`
  }
  return undefined
}

/** Names that attack shells, programs, paths, headers, terminals and file systems. */
const NAMES = [
  ...'-rf -o/etc/passwd |id `id` $(id).png @/etc/passwd mvg:x http://x/y {{7*7}} =cmd|x && a. . .. ...'.split(' '),
  ...'../../../etc/passwd ..\\..\\x C:\\x .htaccess ~root a:b CON nul Aux.txt com1.stub LPT9 ＣＯＮ ﬁ 💥'.split(' '),
  ...'a"b a;filename=b.exe a%0d%0ab %2e%2e%2f a=?utf-8?q?b?= a.stub.stub.bust'.split(' '),
  // Look-alikes of separators, quotes and dots; a mark that keeps a letter and its accent apart.
  ...'‥／‥／x ＼＼host＼x ․bashrc C：x a＂;filename=b.exe ％2e％2e a\u061cb e\u200e\u0301'.split(' '),
  ...['a\u0000.png', 'a\tb', 'a\u007fb', 'a\u001b[31mb', '\u202egnp.stub', 'a\u2066b\u2069', '\ufeffa', 'a\u2028b'],
  ...['\ud83d', ' a ', 'a. .', '', 'x'.repeat(4096), '.'.repeat(4096), '日'.repeat(1300), `${'x'.repeat(250)}.stub`],
  ...['a\r\nX-Evil: 1', '\r\n\r\n<html>evil'],
]

t.test('what a name becomes: shown, in a key, in a folder and in a header', async () => {
  const odd = fc.string({ unit: fc.constantFrom('.', '/', '\\', '"', '%', '\r', '\n', '\u202e', 'a', ';', '=', ' ') })
  const given = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'binary', maxLength: 60 }), odd)
  const property = fc.property(given, (name) => {
    const shown = displayName(name)
    if (!shown || UNSEEN.test(shown) || /[/\\]/.test(shown) || [...shown].length > 255)
      throw new Error(`shown: ${shown}`)
    const key = storageKey('uploads', '0'.repeat(32), stemOf(shown, [extensionOf(shown)]), 'stub', 0)
    if (!isMade(key) || /\/[.-]|\.\./.test(key)) throw new Error(`key: ${key}`)
    const wrong = wrongHeader(attachment(name))
    if (wrong) throw new Error(wrong)
    const folder = folderOf(`${name}/a`)
    if (/^\/|(^|\/)\.{1,2}\/|\\/.test(folder) || UNSEEN.test(folder)) throw new Error(`folder: ${folder}`)
  })
  fc.assert(property, { seed, numRuns: times(3000, 30_000) })
})

const boundary = 'b0undary'

/** Uploads a stub with these bytes as its file name in the form, and says what becomes of it, up to the download. */
async function fate(name: Buffer): Promise<string | undefined> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`
  const quoted = Buffer.from(name.toString('latin1').replace(/["\\]/g, '\\$&'), 'latin1')
  const end = Buffer.from(`"\r\n\r\nSTUB\ntext\r\n--${boundary}--\r\n`)
  const uploaded = await call(service, 'POST', '/api/uploads', {
    body: new Uint8Array(Buffer.concat([Buffer.from(head), quoted, end])),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  if (uploaded.status === 400 && !fault(uploaded)) return undefined
  if (uploaded.status !== 201) return `upload: ${uploaded.status}`
  const { fileId, originalName } = uploaded.json.file
  if (!isMade(fileId) || UNSEEN.test(originalName)) return `${fileId} shown as ${JSON.stringify(originalName)}`
  return outcome({ fileId })
}

/** Converts a stub, and says what is wrong with the name of the result. */
async function outcome(body: object): Promise<string | undefined> {
  const started = await post(service, '/api/conversions', { toFormat: 'bust', ...body })
  if (started.status !== 201) return `start: ${JSON.stringify(started.json)}`
  const conversion = await finish(service, started.json.conversionId)
  if (conversion.status !== 'completed' || !isMade(conversion.outputFileId)) return JSON.stringify(conversion)
  const path = pathOf(conversion.outputUrl)
  const { head } = await raw(service.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const lines = head.split('\r\n').filter((line) => /evil|disposition/i.test(line))
  return lines.length === 1 ? wrongHeader(lines[0]!.replace(/^Content-Disposition: /i, '')) : `lines: ${lines}`
}

t.test('names of a form, from the upload to the header of the download', async (t) => {
  const latin = [
    [0xff, 0xfe],
    [0xc0, 0xae, 0xc0, 0xae],
    [0xed, 0xa0, 0x80],
  ].map((bytes) => Buffer.from(bytes))
  // A line break would end the header of the part, and so change the form.
  const texts = NAMES.filter((name) => !/[\r\n]/.test(name)).map((name) => Buffer.from(name))
  for (const name of [...latin, ...texts].filter((_, at) => full || at % 8 === 0))
    t.equal((await fate(name)) ?? 'harmless', 'harmless', name.toString('hex', 0, 40))
})

t.test('fileName of a conversion', async (t) => {
  const { file } = await start(service)
  const names = ['a\r\nX-Evil: 1', '"; filename="b.exe', '../../x', 'nul', ...(full ? NAMES.filter(Boolean) : [])]
  for (const fileName of names.map((name) => name.slice(0, 200)))
    t.equal((await outcome({ fileId: file.fileId, fileName })) ?? 'harmless', 'harmless', `length ${fileName.length}`)
})
