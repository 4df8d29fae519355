/** Locked, broken and malicious books, and their error codes. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { studio } from '../../harness/studio.ts'
import { reader } from './reading.ts'

t.setTimeout(60 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())
const { book, code, made, raw } = reader(own)

const bytes = async (format: string) => readFile((await sample(format, 'ebook')).path)
const whole = /herring by lantern/

/** An EPUB that declares one of its parts as encrypted with `algorithm`. */
const encrypted = async (algorithm: string) =>
  zipped({
    ...(await epub()),
    'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">
<e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="OEBPS/cover.jpg"/></e:CipherData></e:EncryptedData></encryption>`,
  })

/** An EPUB with a licence of a shop, and with chapters that are encrypted or not. */
async function licensed(name: string, isLocked: boolean) {
  const files = { ...(await epub()), [name]: '<rights/>' }
  for (const part of Object.keys(files)) if (isLocked && part.endsWith('.xhtml')) files[part] = Buffer.alloc(999, 0xa7)
  return zipped(files)
}

/** A Mobipocket or Palm file with other fields of its first record, by place and size. */
async function changed(
  format: string,
  fields: Readonly<Record<number, readonly [bytes: number, value: number]>>,
  text?: Buffer,
) {
  const file = await bytes(format)
  const first = file.readUInt32BE(78)
  for (const [at, [size, value]] of Object.entries(fields)) file.writeUIntBE(value, first + Number(at), size)
  text?.copy(file, file.readUInt32BE(86))
  return file
}
const rights = { 168: [4, 5000], 172: [4, 1], 176: [4, 48], 180: [4, 0] } as const
const noise = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 167 + (index >> 3)) & 255))
const AES = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'

t.test('DRM', async (t) => {
  for (const name of ['META-INF/license.lcpl', 'META-INF/sinf.xml', 'META-INF/rights.xml', 'rights.xml'])
    t.equal(await code(await licensed(name, true), 'epub>epub'), 'ENCRYPTED_INPUT', name)
  const start = (head: string | Buffer) => Buffer.concat([Buffer.from(head), Buffer.alloc(500, 0xa5)])
  for (const [pair, file, what] of [
    ['epub>fb2', await licensed('rights.xml', true), 'a licence, and no text'],
    ['epub>mobi', await encrypted(AES)],
    ['epub>epub', await encrypted(AES), 'when it is made smaller, too'],
    ['mobi>epub', await changed('mobi', { 12: [2, 2] })],
    ['prc>epub', await changed('mobi', { 12: [2, 2] })],
    ['pdb>epub', await changed('pdb', { 12: [2, 1] })],
    ['azw3>epub', await changed('azw3', { 12: [2, 2] })],
    ['mobi>epub', await changed('mobi', { 12: [4, 0x00030000] }), 'another encryption'],
    ['mobi>epub', await changed('mobi', rights, noise), 'rights, and no text'],
    ['azw3>epub', start('TPZ0\x06c\x04dkey\x01'), 'Topaz'],
    ['azw3>epub', start(Buffer.from('ea44524d494f4eee', 'hex')), 'KFX'],
    ['lrf>epub', start('L\0R\0X\0'), 'the Sony Reader'],
  ] as const)
    t.equal(await code(file, pair), 'ENCRYPTED_INPUT', `${pair} ${what ?? ''}`)
})

t.test('licences, rights and garbled fonts without a lock are none', async (t) => {
  const garbled = await encrypted('http://www.idpf.org/2008/embedding')
  t.match((await book(garbled, 'epub>epub')).text, whole)
  for (const file of [garbled, await licensed('META-INF/rights.xml', false)])
    t.match(await raw(file, 'epub>fb2'), whole)
  t.match((await book(await changed('mobi', rights), 'mobi>epub')).text, whole)
})

t.test('passwords', async (t) => {
  const pdf = `${own.folder}/locked.pdf`
  await program('qpdf', '--encrypt', 'a', 'b', '256', '--', (await sample('pdf', 'ebook')).path, pdf)
  const office = Buffer.alloc(4096)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(office)
  office.write('EncryptedPackage', 1024, 'utf16le')
  const mimetype = 'application/vnd.oasis.opendocument.text'
  const manifest = '<manifest:encryption-data manifest:checksum-type="x"/>'
  const flagged = await bytes('htmlz')
  for (const mark of ['PK\x01\x02', 'PK\x03\x04'])
    for (let at = flagged.indexOf(mark, 0, 'latin1'); at >= 0; at = flagged.indexOf(mark, at + 4, 'latin1'))
      flagged[at + (mark.endsWith('\x02') ? 8 : 6)]! |= 1
  for (const [pair, file] of [
    ['pdf>epub', await readFile(pdf)],
    ['pdf>cbz', await readFile(pdf)],
    ['docx>epub', office],
    ['odt>epub', await zipped({ mimetype, 'META-INF/manifest.xml': manifest })],
    ['htmlz>epub', flagged],
  ] as const)
    t.equal(await code(file, pair), 'ENCRYPTED_INPUT', pair)
})

t.test('broken files are refused, and the next file is converted', async (t) => {
  for (const pair of [
    'epub>mobi',
    'epub>epub',
    'mobi>epub',
    'lit>epub',
    'rb>epub',
    'chm>epub',
    'cbz>epub',
    'htmlz>epub',
  ])
    t.equal(await code((await bytes(pair.split('>')[0]!)).subarray(0, 300), pair), 'CONVERSION_ERROR', pair)
  t.match(await raw(await bytes('epub'), 'epub>fb2'), whole)
})

t.test('a chapter cannot get other files', async (t) => {
  const chapter = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>start &x; end</p><img src="file:///etc/passwd"/><img src="../../../../etc/passwd"/></body></html>`
  const file = await zipped({ ...(await epub()), 'OEBPS/part1.xhtml': chapter, 'up/up/up/tmp/escaped': 'x' })
  const climbing = file.toString('latin1').replaceAll('up/up/up/tmp', '../../../tmp')
  const text = await raw(Buffer.from(climbing, 'latin1'), 'epub>fb2').catch(({ code }) => code)
  t.match(text, /CONVERSION_ERROR|start/)
  t.notMatch(text, /\d:\d+:\d+:/)
})

t.test('a cancelled conversion ends, and the next one begins', async (t) => {
  const source = await bytes('epub')
  await t.rejects(made(source, 'epub>lit', { signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' })
  t.match(await raw(source, 'epub>fb2'), whole)
})
