/** Unusual but real texts: old character sets, missing pictures, text boxes, mails, Hangul documents, wide tables. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { raw, said } = reader(own)

t.test('old character sets are found out or read', async (t) => {
  const cyrillic = '\xcc\xee\xf0\xe5 \xe8 \xec\xe0\xff\xea' // Море и маяк
  const page = `<html><head><meta charset="windows-1251"></head><body><p>${cyrillic}</p></body></html>`
  const xhtml = '<?xml version="1.0" encoding="ISO-8859-1"?><html><body><p>Größe © kept</p></body></html>'
  const rtf = `{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset0 A;}}\\f0 ${cyrillic}}`
  const label = `\x04\x02\x13\0\0\0\0\0\0\0\x0b\0${cyrillic}`
  const xls = `\x09\x08\x08\0\0\0\x10\0\0\0\0\0${label}\x0a\0\0\0` // Excel 5, as small programs write it
  for (const [pair, text, wanted] of [
    ['txt>html', 'Größe naïve café\n', 'Größe naïve café'],
    ['md>html', `# ${cyrillic}\n`, 'Море и маяк'],
    ['csv>json', `name;place\n${cyrillic};1\n`, 'Море и маяк'],
    ['html>txt', page, 'Море и маяк'],
    ['xhtml>html', xhtml, 'Größe © kept'],
    ['adoc>html', 'caf&eacute; &mdash; 5&nbsp;&euro; &lt;b&gt; &unheardof;\n', 'café — 5 € <b> &unheardof;'],
    ['rtf>txt', rtf, 'Море и маяк'],
    ['xls>csv', xls, 'Море и маяк'],
  ] as const)
    t.match(await said(Buffer.from(text, 'latin1'), pair), wanted, pair)
  for (const encoding of ['utf8', 'latin1'] as const) {
    const head = 'From: Zoë <zoe@example.org>\r\nSubject: Grüße\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n'
    const text = await said(Buffer.from(`${head}Envoyé par Mobilité.\r\n`, encoding), 'eml>html')
    for (const words of ['Zoë', 'Grüße', 'Envoyé par Mobilité.']) t.match(text, words, encoding)
  }
})

t.test('mails show sender, subject and attachments, and run nothing', async (t) => {
  for (const pair of ['eml>txt', 'msg>txt']) {
    const text = await said(await readFile((await sample(pair.slice(0, 3))).path), pair)
    t.match(text, 'Quillon Ferndale', `${pair}: its author`)
    t.match(text, 'Zephyrine Almanac', `${pair}: its subject`)
    if (pair === 'eml>txt') t.match(text, 'ledger.txt', 'what is attached')
  }
  const body = '<title>Window</title><p>kept</p><script>alert(1)</script><iframe src="file:///etc/passwd"></iframe>'
  const mail = `From: a@example.org\r\nSubject: Landfall\r\nContent-Type: text/html\r\n\r\n${body}`
  const html = await raw(mail, 'eml>html')
  t.match(html, '<p>kept</p>')
  t.notMatch(html, /<script|<iframe/)
})

t.test('damaged mails of Outlook are read as far as they go, or say what is damaged', async (t) => {
  const whole = await readFile((await sample('msg')).path)
  t.match(await said(whole.subarray(0, -100), 'msg>txt'), 'Zephyrine Almanac')
  const message = /^The mail is damaged: /
  t.match(await own.failure(whole.subarray(0, whole.length >> 2), 'msg>txt'), { code: 'CONVERSION_ERROR', message })
})

/** A part of a mail. */
const entity = (type: string, content: string, more = '') => `Content-Type: ${type}\r\n${more}\r\n${content}\r\n`
/** Parts in a multipart of a kind, which is part of a mail, too. */
const parts = (kind: string, ...entities: readonly string[]) => {
  const boundary = `boundary-${kind}-${entities.length}`
  const content = ['', ...entities].join(`--${boundary}\r\n`)
  return entity(`multipart/${kind}; boundary="${boundary}"`, `${content}--${boundary}--`)
}

t.test('all bodies of a mail, in order, and mails in mails with their own attachments', async (t) => {
  const red = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const picture = (name: string, more: string) =>
    entity(`image/png; name=${name}`, red.toString('base64'), `Content-Transfer-Encoding: base64\r\n${more}`)
  const inline = 'Content-Disposition: inline\r\n'
  const attached = (name: string) =>
    entity('application/pdf', '%PDF', `Content-Disposition: attachment; filename=${name}\r\n`)
  const message = (subject: string, body: string) => entity('message/rfc822', `Subject: ${subject}\r\n${body}`)
  const bounce = parts(
    'report',
    entity('text/plain', 'eight notice'),
    entity('message/delivery-status', 'Reporting-MTA: dns; mx.example.org\r\n\r\nStatus: 5.1.1 nine'),
    message('ten', entity('text/plain', 'eleven')),
  )
  const mail = `From: a@example.org\r\nSubject: one\r\n${parts(
    'mixed',
    parts(
      'alternative',
      entity('text/plain', 'as plain text'),
      parts(
        'related',
        entity('text/html', '<p>two <img src="cid:p%40b" alt="three"></p>'),
        picture('p', 'Content-ID: <p@b>\r\n'),
      ),
    ),
    picture('four.png', inline),
    entity('text/plain', 'five'),
    message('six', parts('alternative', entity('text/plain', 'seven'), attached('inner.pdf'))),
    bounce,
    parts('digest', `\r\nSubject: twelve\r\n\r\nthirteen\r\n`),
    attached('outer.pdf'),
  )}`
  const order =
    /one.*two.*three.*four\.png.*five.*six.*seven.*inner\.pdf.*eight.*mx\.example\.org.*nine.*ten.*eleven.*twelve.*thirteen.*outer\.pdf/s
  const html = await raw(mail, 'eml>html')
  t.match(html, order)
  t.equal(html.split('src="data:image/png').length, 3, 'each picture once')
  const words = 'two five six seven inner.pdf nine ten eleven twelve thirteen outer.pdf'.split(' ')
  const text = await said(mail, 'eml>docx')
  t.strictSame(
    words.filter((word) => text.split(word).length !== 2),
    [],
    text,
  )
  t.notMatch(text, 'as plain text')
})

t.test('a Hangul document in an open package has its text', async (t) => {
  const said = (text: string) => `<hp:p><hp:run><hp:t>${text}</hp:t></hp:run></hp:p>`
  const cell = (row: number, column: number, text: string) =>
    `<hp:tc><hp:subList>${said(text)}</hp:subList><hp:cellAddr colAddr="${column}" rowAddr="${row}"/></hp:tc>`
  const rows = [0, 1].map((row) => `<hp:tr>${cell(row, 0, `a${row}`)}${cell(row, 1, `b${row}`)}</hp:tr>`)
  const table = `<hp:p><hp:run><hp:tbl>${rows.join('')}</hp:tbl><hp:t/></hp:run></hp:p>`
  const section = (body: string) =>
    `<?xml version="1.0"?><hs:sec xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section" xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph">${body}</hs:sec>`
  const parts = {
    mimetype: 'application/hwp+zip',
    'Contents/content.hpf': '<package xmlns="http://www.idpf.org/2007/opf/"><title>등대</title></package>',
    'Contents/section10.xml': section(said('끝')),
    'Contents/section0.xml': section(`${said('바다 &lt;x&gt;<hp:lineBreak/>등대')}${table}`),
  }
  const html = await raw(await zipped(parts), 'hwp>html')
  t.match(html, /<title>등대<\/title>/)
  t.match(
    html,
    /바다 &lt;x&gt;<br\s*\/>\s*등대[\s\S]*<td>a0<\/td>\s*<td>b0<\/td>[\s\S]*<td>a1<\/td>\s*<td>b1<\/td>[\s\S]*끝/,
  )
  const locked = { ...parts, 'META-INF/manifest.xml': '<manifest><encryption-data/></manifest>' }
  t.match(await own.failure(await zipped(locked), 'hwp>html'), { code: 'ENCRYPTED_INPUT' })
  t.match(await own.failure(await zipped({ ...parts, 'Contents/section0.xml': '<a>' }), 'hwp>html'), {
    message: 'The document is damaged',
  })
})

t.test('a mail that names nobody is read, as drafts and saved parts are', async (t) => {
  const mail = 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Größe <b>kept</b></p>\r\n'
  t.match(await said(mail, 'eml>txt'), 'Größe kept')
})

t.test('a picture with an address in the mail stands where the page names it', async (t) => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const picture = `--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Location: dot 1\n\n${dot}\n`
  const page = '--b\nContent-Type: text/html\n\n<p>before</p><p><img src="dot 1"></p><p>after</p>\n--b--\n'
  const html = await raw(`From: a\nTo: b\nContent-Type: multipart/related; boundary=b\n\n${picture}${page}`, 'eml>html')
  t.match(html, /before[\s\S]*<img[^>]*src="data:image\/png[\s\S]*after/)
  t.equal(html.match(/<img/g)?.length, 1)
})
