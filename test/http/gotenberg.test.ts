/** The route of Gotenberg, with the requests that its public clients send. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../fixtures/program.ts'
import { sample } from '../fixtures/samples.ts'
import { folderOf } from '../harness/folder.ts'
import { call, form, get, type Reply, refusal, serviceOf, storedFiles } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { beside } from './beside.ts'
import { signUp } from './people.ts'

const ROUTE = '/forms/libreoffice/convert'

const service = await serviceOf(t, {
  engines: true,
  change(config) {
    config.plugins = { document: true }
    config.doors.gotenberg = true
    config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, filesPerBatch: 3, maxFileSize: 500_000 }
  },
})
const folder = await folderOf(t)
const docx = await readFile((await sample('docx')).path)
// Most tests are about the form, and send a PDF: that is quicker.
const text = await readFile((await sample('pdf', 'document')).path)

/** A part of a form: its headers as the client writes them, and its content. */
const part = (headers: string, content: Buffer | string) => [
  Buffer.from(`--AbC123\r\n${headers}\r\n\r\n`),
  Buffer.from(content),
  Buffer.from('\r\n'),
]

/** Sends a form that is written byte by byte. */
const send = (parts: Buffer[][], headers: Record<string, string> = {}, type = 'multipart/form-data; boundary=AbC123') =>
  call(service, 'POST', ROUTE, {
    body: Buffer.concat([...parts.flat(), Buffer.from('--AbC123--\r\n')]),
    headers: { 'content-type': type, ...headers },
  })

/** Sends files and fields as browsers write them. */
function sendFields(fields: Record<string, string>, names = ['report.pdf'], headers: Record<string, string> = {}) {
  const body = new FormData()
  for (const name of names) body.append('files', new Blob([text]), name)
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  return call(service, 'POST', ROUTE, { body, headers })
}

const words = async ({ body }: Pick<Reply, 'body'>, name = 'answer.pdf') => {
  await writeFile(join(folder, name), body)
  return (await program('pdftotext', join(folder, name), '-')).toString()
}

/** An error as Gotenberg sends it. */
const refused = async (reply: Reply | Promise<Reply>) => {
  const { status, headers, body } = await reply
  return { status, type: headers.get('content-type'), trace: headers.get('gotenberg-trace') !== null, text: `${body}` }
}
const plain = (status: number, text: string | RegExp) => ({
  status,
  type: 'text/plain; charset=UTF-8',
  trace: true,
  text,
})

const story = /\w{3}/

t.test('it is closed by default', async (t) => {
  await using closed = await beside(service, { doors: { ...service.kernel.config.doors, gotenberg: false } })
  t.match(await call(closed, 'POST', ROUTE, { body: form(text, 'report.pdf', 'files') }), refusal(404, 'NOT_FOUND'))
})

t.test('a form as curl sends it', async (t) => {
  t.match(await words(await call(service, 'POST', ROUTE, { body: form(docx, 'report.docx', 'files') })), story)
})

t.test('gotenberg-client for Python, as paperless-ngx uses it', async (t) => {
  // The library names each part by its file, older ones by RFC 5987. paperless-ngx asks for PDF/A-2b.
  const reply = await send(
    [
      part('Content-Disposition: form-data; name="pdfa"', 'PDF/A-2b'),
      part(
        'Content-Disposition: form-data; name="report.pdf"; filename*=utf-8\'\'%C3%9Cbersicht.pdf\r\nContent-Type: application/pdf',
        text,
      ),
    ],
    { 'user-agent': 'python-httpx/0.28.1', accept: '*/*', 'accept-encoding': 'gzip, deflate' },
  )
  t.equal(reply.status, 200)
  t.equal(reply.headers.get('content-type'), 'application/pdf')
  t.match(await words(reply, 'archive.pdf'), story)
  const facts = JSON.parse((await program('exiftool', '-j', '-XMP-pdfaid:all', join(folder, 'archive.pdf'))).toString())
  t.match(facts[0], { Part: 2, Conformance: 'B' })
})

t.test('the PHP client, by Guzzle', async (t) => {
  const field = (name: string, value: string) =>
    part(`Content-Disposition: form-data; name="${name}"\r\nContent-Length: ${value.length}`, value)
  const file = `Content-Disposition: form-data; name="files"; filename="report.pdf"\r\nContent-Length: ${text.length}`
  const reply = await send(
    [field('landscape', '0'), field('exportFormFields', '1'), field('quality', '50'), part(file, text)],
    { 'Gotenberg-Output-Filename': 'invoice', 'Gotenberg-Trace': 'order-77' },
    'multipart/form-data; boundary="AbC123"',
  )
  t.equal(reply.status, 200)
  t.match(Object.fromEntries(reply.headers), {
    'content-disposition': /filename="?invoice\.pdf/,
    'content-type': 'application/pdf',
    'content-length': `${reply.body.length}`,
    'gotenberg-trace': 'order-77',
  })
})

t.test('several documents come as a ZIP', async (t) => {
  const reply = await sendFields({ merge: 'false' }, ['one.pdf', '2 one.pdf', 'one.pdf'])
  t.equal(reply.headers.get('content-type'), 'application/zip')
  await writeFile(join(folder, 'all.zip'), reply.body)
  const listed = (await program('unzip', '-Z1', join(folder, 'all.zip'))).toString().trim().split('\n')
  t.strictSame(listed, ['one.pdf.pdf', '2 one.pdf.pdf', '3 one.pdf.pdf'], 'each has its name')
  const second = await program('unzip', '-p', join(folder, 'all.zip'), '2 one.pdf.pdf')
  t.match(await words({ body: second }), story)
})

t.test('refusals have the statuses of Gotenberg, and are plain text', async (t) => {
  t.match(
    await refused(call(service, 'POST', ROUTE, { body: '{}', headers: { 'content-type': 'application/json' } })),
    plain(415, "Invalid 'Content-Type' header value: want 'multipart/form-data'"),
  )
  for (const [fields, names, text] of [
    [{}, [], /^Invalid form data: no form file found/],
    [{}, ['1.pdf', '2.pdf', '3.pdf', '4.pdf'], /more than 3/],
    [{ pdfa: 'foo' }, undefined, "The PDF format 'foo' is not supported. Valid formats include PDF/A-2b."],
    [{ merge: 'foo' }, undefined, /^Invalid form data: form field 'merge' is invalid \(got 'foo'/],
    [{ merge: 'true' }, ['1.pdf', '2.pdf'], /'merge' is not supported here/],
    [{ landscape: 'true' }, undefined, /'landscape' is not supported here/],
    [{ exportFormFields: 'false' }, undefined, /'exportFormFields' is not supported here/],
    [{ 'metadata[title]': 'x' }, undefined, /'metadata' is not supported/],
    [Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, 'x'])), undefined, /at most 100 small fields/],
  ] as [Record<string, string>, string[] | undefined, string | RegExp][])
    t.match(await refused(sendFields(fields, names)), plain(400, text), JSON.stringify(fields))
  const webhook = { 'Gotenberg-Webhook-Url': 'http://10.0.0.1/' }
  t.match(await refused(sendFields({}, undefined, webhook)), plain(400, /Gotenberg-Webhook-Url/))
  const odd = (bytes: Parameters<typeof form>[0], name: string) =>
    call(service, 'POST', ROUTE, { body: form(bytes, name, 'files') })
  t.match(await refused(odd('\x00\x01\x02', 'odd.bin')), plain(400, /^The document 'odd\.bin' cannot be converted/))
  t.match(await refused(odd('x'.repeat(600_000), 'long.txt')), plain(413, /larger than/))
  t.match(await refused(odd('', 'empty.docx')), plain(400, /empty/))
  t.match(await refused(sendFields({}, undefined, { 'x-api-key': 'no' })), plain(401, /API key/))
  const open = join(folder, 'plain.pdf')
  const locked = join(folder, 'locked.pdf')
  await writeFile(open, text)
  await program('qpdf', '--encrypt', 'secret', 'secret', '256', '--', open, locked)
  const asked = await refused(odd(await readFile(locked), 'locked.pdf'))
  t.match(asked, plain(400, /^The document 'locked\.pdf' .*password/))
})

t.test('nothing is kept', async (t) => {
  await until(async () => (await storedFiles(service)) === 0)
  t.strictSame((await get(service, '/api/conversions')).json.conversions, [])
})

t.test('the operator chooses the account that owns it', async (t) => {
  const ada = await signUp(service, 'pro')
  const { doors, plans } = service.kernel.config
  plans.pro.filesPerBatch = 1
  doors.gotenbergAccount = ada.email
  t.match(await refused(sendFields({}, ['1.pdf', '2.pdf'])), plain(400, /more than 1/), 'with its limits')
  const usage = async () => (await get(service, '/api/users/me', ada.session)).json.usage.conversionsToday
  const before = await usage()
  t.equal((await sendFields({})).status, 200)
  t.equal(await usage(), before + 1)
  doors.gotenbergAccount = 'nobody@example.org'
  t.match(await refused(sendFields({})), plain(403, /account of this door/))
})

t.test('a request has its time', async (t) => {
  service.kernel.config.doors.gotenbergTimeout = 1
  delete service.kernel.config.doors.gotenbergAccount
  t.match(await refused(sendFields({})), plain(503, 'The request exceeded the time limit'))
  await until(async () => (await storedFiles(service)) === 0)
})
