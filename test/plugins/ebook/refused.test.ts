/** Locked, broken and malicious books, and their error codes. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { made } from '../../fixtures/cache.ts'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { zip, zipped } from '../../fixtures/zip.ts'
import { library, read } from './library.ts'

const books = await library()
t.teardown(() => books[Symbol.asyncDispose]())

const bytes = async (format: string) => readFile((await sample(format, 'ebook')).path)
const locked = { code: 'ENCRYPTED_INPUT' }
const broken = { code: 'CONVERSION_ERROR' }

/** An EPUB that declares one chapter as encrypted with `algorithm`. */
const encrypted = async (algorithm: string) =>
  readFile(
    await made(`encrypted-${algorithm.length}.epub`, async (output) =>
      zip(output, {
        ...(await epub()),
        'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">
<e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="OEBPS/cover.jpg"/></e:CipherData></e:EncryptedData></encryption>`,
      }),
    ),
  )
const AES = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'

/** An EPUB with a licence file, and with chapters that are encrypted or not. */
const licensed = async (name: string, chapters: boolean) => {
  const files = { ...(await epub()), [name]: '<rights/>' }
  if (!chapters)
    for (const part of Object.keys(files)) if (part.endsWith('.xhtml')) files[part] = Buffer.alloc(999, 0xa7)
  return zipped(files)
}

t.test('licences of shops', async (t) => {
  for (const name of ['META-INF/license.lcpl', 'META-INF/sinf.xml', 'META-INF/rights.xml', 'rights.xml']) {
    for (const to of ['fb2', 'epub'])
      await t.rejects(books.convert(await licensed(name, false), 'epub', to), locked, name)
    const open = await books.convert(await licensed(name, true), 'epub', 'fb2')
    t.match((await read(open, 'fb2')).text, /herring by lantern/, `${name} without a lock`)
  }
})

/** A Mobipocket file that declares encryption in its first record. */
async function lockedMobi() {
  const book = await bytes('mobi')
  book.writeUInt16BE(2, book.readUInt32BE(78) + 12)
  return book
}

t.test('DRM', async (t) => {
  await t.rejects(books.convert(await encrypted(AES), 'epub', 'mobi'), locked)
  await t.rejects(books.convert(await encrypted(AES), 'epub', 'epub'), locked, 'when it is made smaller, too')
  await t.rejects(books.convert(await lockedMobi(), 'mobi', 'epub'), locked)
  await t.rejects(books.convert(await lockedMobi(), 'prc', 'epub'), locked)
  const early = await bytes('pdb')
  early.writeUInt16BE(1, early.readUInt32BE(78) + 12)
  await t.rejects(books.convert(early, 'pdb', 'epub'), locked)
  const azw3 = await bytes('azw3')
  azw3.writeUInt16BE(2, azw3.readUInt32BE(78) + 12)
  await t.rejects(books.convert(azw3, 'azw3', 'epub'), locked)
})

/** A Mobipocket file whose header has other fields: bytes by their place in its first record. */
async function changedMobi(fields: Readonly<Record<number, number>>, text?: Buffer) {
  const book = await bytes('mobi')
  const first = book.readUInt32BE(78)
  for (const [at, value] of Object.entries(fields)) book.writeUInt32BE(value, first + Number(at))
  text?.copy(book, book.readUInt32BE(86))
  return book
}

t.test('unusual locks', async (t) => {
  await t.rejects(books.convert(await changedMobi({ 12: 0x00030000 }), 'mobi', 'epub'), locked, 'another encryption')
  const rights = { 168: 5000, 172: 1, 176: 48, 180: 0 }
  const noise = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 167 + (index >> 3)) & 255))
  await t.rejects(books.convert(await changedMobi(rights, noise), 'mobi', 'epub'), locked, 'rights, and no text')
  t.match(
    (await read(await books.convert(await changedMobi(rights), 'mobi', 'epub'), 'epub')).text,
    /herring by lantern/,
  )
  const topaz = Buffer.concat([Buffer.from('TPZ0\x86c\x04dkey\x01'), Buffer.alloc(500, 0xa5)])
  await t.rejects(books.convert(topaz, 'azw3', 'epub'), locked, 'Topaz')
  const kfx = Buffer.concat([Buffer.from('ea4452 4d494f4eee'.replace(' ', ''), 'hex'), Buffer.alloc(500, 0xa5)])
  await t.rejects(books.convert(kfx, 'azw3', 'epub'), locked, 'KFX')
  const sony = Buffer.concat([Buffer.from('L\0R\0X\0'), Buffer.alloc(500, 0xa5)])
  await t.rejects(books.convert(sony, 'lrf', 'epub'), locked, 'the Sony Reader')
})

t.test('passwords', async (t) => {
  const pdf = await made('locked.pdf', async (output) =>
    program(
      ...(['gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-sUserPassword=a', '-sOwnerPassword=b'] as const),
      ...['-o', output, (await sample('pdf', 'ebook')).path],
    ),
  )
  await t.rejects(books.convert(await readFile(pdf), 'pdf', 'epub'), locked)
  await t.rejects(books.convert(await readFile(pdf), 'pdf', 'cbz'), locked)
  const office = Buffer.alloc(4096)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(office)
  office.write('EncryptedPackage', 1024, 'utf16le')
  await t.rejects(books.convert(office, 'docx', 'epub'), locked)
  const manifest = '<manifest:encryption-data manifest:checksum-type="x"/>'
  const odt = await made('locked.odt', (output) =>
    zip(output, { mimetype: 'application/vnd.oasis.opendocument.text', 'META-INF/manifest.xml': manifest }),
  )
  await t.rejects(books.convert(await readFile(odt), 'odt', 'epub'), locked)
  const flagged = await bytes('htmlz')
  for (const mark of ['PK\x01\x02', 'PK\x03\x04'])
    for (let at = flagged.indexOf(mark, 0, 'latin1'); at >= 0; at = flagged.indexOf(mark, at + 4, 'latin1'))
      flagged[at + (mark.endsWith('\x02') ? 8 : 6)]! |= 1
  await t.rejects(books.convert(flagged, 'htmlz', 'epub'), locked)
})

t.test('garbled fonts do not count as DRM', async (t) => {
  const garbled = await encrypted('http://www.idpf.org/2008/embedding')
  t.match((await read(await books.convert(garbled, 'epub', 'fb2'), 'fb2')).text, /herring by lantern/)
  t.match((await read(await books.convert(garbled, 'epub', 'epub'), 'epub')).text, /herring by lantern/)
})

t.test('broken files are refused, and the next file is converted', async (t) => {
  for (const format of ['epub', 'mobi', 'azw3', 'lit', 'lrf', 'rb', 'docx', 'chm', 'cbz', 'htmlz']) {
    const whole = await bytes(format)
    await t.rejects(books.convert(whole.subarray(0, 300), format, format === 'epub' ? 'mobi' : 'epub'), broken, format)
  }
  await t.rejects(books.convert((await bytes('epub')).subarray(0, 300), 'epub', 'epub'), broken, 'made smaller')
  await t.resolves(books.convert(await bytes('epub'), 'epub', 'mobi'))
})

t.test('a chapter cannot get other files', async (t) => {
  const chapter = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>start &x; end</p><img src="file:///etc/passwd"/><img src="../../../../etc/passwd"/></body></html>`
  const file = await made('entity.epub', async (output) =>
    zip(output, { ...(await epub()), 'OEBPS/part1.xhtml': chapter, 'up/up/up/tmp/escaped': 'x' }),
  )
  const climbing = (await readFile(file)).toString('latin1').replaceAll('up/up/up/tmp', '../../../tmp')
  const book = await books.convert(Buffer.from(climbing, 'latin1'), 'epub', 'fb2').catch((error) => error)
  t.notMatch(book instanceof Buffer ? book.toString() : '', /\d:\d+:\d+:/)
})

/** Adds six members of 200 MB of zeros to a zip. */
const APPEND = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'a', zipfile.ZIP_DEFLATED, compresslevel=1) as book:
  for index in range(6): book.writestr(f'OEBPS/zeros{index}', bytes(200_000_000))`

t.test('a bomb affects only its own job', { timeout: 900_000 }, async (t) => {
  const bomb = await made('bomb.epub', async (output) => {
    await zip(output, await epub())
    await program('python3', '-c', APPEND, output)
  })
  await t.rejects(books.convert(await readFile(bomb), 'epub', 'epub'), { code: 'RESOURCE_LIMIT' })
})

t.test('entities are not expanded', { timeout: 900_000 }, async (t) => {
  const entities = [...'bcdefghi'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`)
  const laughs = `<?xml version="1.0"?><!DOCTYPE FictionBook [<!ENTITY a "${'lol'.repeat(20)}">${entities.join('')}]>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body><section><p>&i;</p></section></body></FictionBook>`
  const outcome = await books.convert(laughs, 'fb2', 'epub').then(
    (book) => book.length < 1_000_000,
    (error) => ['CONVERSION_ERROR', 'RESOURCE_LIMIT'].includes(error.code),
  )
  t.ok(outcome)
})

t.test('a hung conversion ends with its job', async (t) => {
  const source = await bytes('epub')
  await t.rejects(books.convert(source, 'epub', 'lit', { signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' })
  await t.resolves(books.convert(source, 'epub', 'mobi'))
})
