import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { english, german } from '../../fixtures/prose.ts'
import { album, scan, wordErrorRate, wordsOf } from '../../fixtures/scan.ts'
import { studio } from '../../harness/studio.ts'
import { facts } from './reading.ts'

/** Share of words that may be wrong on a clean page at 200 dpi. */
const MAX = 0.03

const plain = 'BT /F1 20 Tf 72 700 Td (Plain text stays as it is) Tj ET'

const machine = await studio()
t.teardown(() => machine[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

const [serif, sans] = await Promise.all([
  scan([{ text: english, font: 'Liberation Serif' }]),
  scan([{ text: german, font: 'DejaVu Sans', size: 10 }]),
])

t.test('at most 3 % of the words on clean pages are wrong, in English and in German', async (t) => {
  const others = {
    [english]: [serif, await scan([{ text: english, font: 'Carlito' }])],
    [german]: [sans, await scan([{ text: german, font: 'Liberation Serif', size: 12 }])],
  }
  for (const [text, pages] of Object.entries(others))
    for (const [index, page] of pages.entries()) {
      const { bytes } = await machine.convert(await album([page]), 'pdf>txt')
      const rate = wordErrorRate(wordsOf(text), wordsOf(bytes.toString()))
      t.ok(rate <= MAX, `page ${index + 1}: ${(100 * rate).toFixed(1)} %`)
    }
})

t.test('a searchable PDF keeps its pictures and its text, and scans that lie on their side are turned', async (t) => {
  const side = await scan([{ text: german, font: 'Liberation Serif' }], 90)
  const info = '/Title (The ledgers) /Creator (Scanner 3000)'
  const source = await machine.file('mixed.pdf', await album([plain, serif, side], info))
  const made = await machine.convert(source, 'pdf>ocr.pdf')
  const pages = (await program('pdftotext', made.path, '-')).toString().split('\f')
  t.equal(pages[0]!.trim(), 'Plain text stays as it is')
  t.ok(wordErrorRate(wordsOf(english), wordsOf(pages[1]!)) <= MAX)
  t.ok(wordErrorRate(wordsOf(german), wordsOf(pages[2]!)) <= MAX)
  t.strictSame(await pictures(made.path), [serif, side], 'the pictures are the same bytes')
  t.match((await program('pdfinfo', '-f', 3, '-l', 3, made.path)).toString(), /Page +3 rot: +270/)
  t.match(await facts(made.path), { Title: 'The ledgers', Creator: 'Scanner 3000' })
  const bare = await machine.convert(source, 'pdf>ocr.pdf', { metadata: 'remove' })
  t.notOk(bare.bytes.includes('Scanner 3000'))
  t.match((await program('pdftotext', bare.path, '-')).toString(), 'harbour master')
})

t.test('a scan becomes a text with paragraphs, without its picture', async (t) => {
  const source = await machine.file('scan.pdf', await album([serif]))
  const { bytes } = await machine.convert(source, 'pdf>md')
  const paragraphs = bytes
    .toString()
    .split(/\n\n+/)
    .filter((part) => /\w/.test(part))
  t.equal(paragraphs.length, english.split('\n\n').length)
  t.ok(wordErrorRate(wordsOf(english), wordsOf(paragraphs.join('\n\n').replace(/\\/g, ''))) <= MAX)
  const { path } = await machine.convert(source, 'pdf>docx')
  t.notMatch((await program('unzip', '-l', path)).toString(), /media/)
})

t.test('a scan with a stamp is read, and its stamp stays, each word once', async (t) => {
  const stamp = 'BT /F1 14 Tf 380 800 Td (RECEIVED 2026) Tj ET'
  const source = await machine.file('stamped.pdf', await album([{ scan: serif, text: stamp }]))
  for (const to of ['txt', 'md', 'ocr.pdf']) {
    const { path, bytes } = await machine.convert(source, `pdf>${to}`)
    const said = to === 'ocr.pdf' ? (await program('pdftotext', path, '-')).toString() : bytes.toString()
    t.equal(said.match(/RECEIVED 2026/g)?.length, 1, to)
    const words = wordsOf(said.replace(/RECEIVED 2026|\\/g, ''))
    t.ok(wordErrorRate(wordsOf(english), words) <= MAX, `${to}: ${said.slice(0, 200)}`)
  }
})

t.test('a page with text keeps it once, although its picture shows words', async (t) => {
  const lines = english
    .split(/\s+/)
    .map((word, index) => `(${word.replace(/[()\\]/g, '')} ) Tj${index % 8 ? '' : ' T*'}`)
  const page = { scan: sans, text: `BT /F1 10 Tf 12 TL 60 800 Td ${lines.slice(0, 160).join(' ')} ET` }
  const { bytes } = await machine.convert(await album([page]), 'pdf>txt')
  t.equal(
    bytes.toString().match(/harbour master/g)?.length,
    english
      .split(/\s+/)
      .slice(0, 160)
      .join(' ')
      .match(/harbour master/g)?.length,
  )
  t.notMatch(bytes.toString(), german.split(/\s+/)[3])
})

t.test('a scan that only its owner may change is read', async (t) => {
  const plainSource = await machine.file('open.pdf', await album([serif]))
  await program('qpdf', '--encrypt', '', 'owner', '256', '--', plainSource, `${plainSource}.locked.pdf`)
  const { bytes } = await machine.convert(await readFile(`${plainSource}.locked.pdf`), 'pdf>txt')
  t.ok(wordErrorRate(wordsOf(english), wordsOf(bytes.toString())) <= MAX)
})

t.test('a picture without text is refused as text, and shown in a document', async (t) => {
  const sky = { create: { width: 800, height: 600, channels: 3, background: '#48a' } } as const
  const blue = await sharp(sky).png().toBuffer()
  const refused = { code: 'CONVERSION_ERROR', message: 'The picture shows no text' }
  t.strictSame(await machine.failure(blue, 'png>txt'), refused)
  const { path } = await machine.convert(blue, 'png>docx')
  t.match((await program('unzip', '-l', path)).toString(), /media/)
})

t.test('progress is told page by page, and a cancel ends all', async (t) => {
  const source = await machine.file('long.pdf', await album([serif, sans, serif, sans]))
  const pair = machine.machine.catalogue.pairs.get('pdf>ocr.pdf')!
  const abort = new AbortController()
  const told: number[] = []
  const report = (fraction: number) => {
    told.push(fraction)
    if (fraction < 1 && fraction > 0) abort.abort(new Error('cancelled'))
  }
  await t.rejects(
    machine.machine.converter.convert({
      owner: 'user_documents',
      source,
      pair,
      intent: 'convert',
      name: 'long',
      report,
      size: 1,
      options: { metadata: 'keep' },
      signal: abort.signal,
    }),
    { message: 'cancelled' },
  )
  t.ok(told[0]! > 0 && told[0]! <= 0.5, `first ${told[0]}`)
  t.notOk(
    told.some((fraction) => fraction > 0.8),
    'no page is read after it',
  )
})

/** The pictures of a PDF, in order, in their own bytes. */
async function pictures(path: string): Promise<Buffer[]> {
  await program('pdfimages', '-all', path, `${path}-picture`)
  const names = (await readdir(machine.folder)).filter((name) => name.startsWith(`${basename(path)}-picture`))
  return Promise.all(names.toSorted().map((name) => readFile(join(machine.folder, name))))
}
