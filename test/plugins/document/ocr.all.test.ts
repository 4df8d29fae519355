import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { english, german } from '../../fixtures/prose.ts'
import { album, scan, wordErrorRate, wordsOf } from '../../fixtures/scan.ts'
import { bare } from '../bare.ts'
import { facts } from './reading.ts'

/** Share of words that may be wrong on a clean page at 200 dpi. */
const MAX = 0.03

const plain = 'BT /F1 20 Tf 72 700 Td (Plain text stays as it is) Tj ET'

t.setTimeout(60 * 60_000)
const machine = await bare(t, ['document'])
const serif = await scan([{ text: english, font: 'Liberation Serif' }])

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

t.test('a stamp on a till receipt, which is four times as long as wide', async (t) => {
  const column = await scan([{ text: english, font: 'Liberation Serif', size: 9, left: 60, width: 420 }])
  const receipt = await sharp(column).extract({ left: 0, top: 0, width: 520, height: 2080 }).jpeg().toBuffer()
  const source = await album([{ scan: receipt, text: 'BT /F1 12 Tf 20 730 Td (PAID) Tj ET' }])
  const { bytes } = await machine.convert(source, 'pdf>txt')
  t.match(bytes.toString(), 'PAID')
  t.match(bytes.toString(), 'harbour master')
})

t.test('a picture without text is refused as text, and shown in a document', async (t) => {
  const sky = { create: { width: 800, height: 600, channels: 3, background: '#48a' } } as const
  const blue = await sharp(sky).png().toBuffer()
  const refused = { code: 'CONVERSION_ERROR', message: 'The picture shows no text' }
  t.strictSame(await machine.failure(blue, 'png>txt'), refused)
  const { path } = await machine.convert(blue, 'png>docx')
  t.match((await program('unzip', '-l', path)).toString(), /media/)
})

/** The pictures of a PDF, in order, in their own bytes. */
async function pictures(path: string): Promise<Buffer[]> {
  await program('pdfimages', '-all', path, `${path}-picture`)
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}-picture`))
  return Promise.all(names.toSorted().map((name) => readFile(join(dirname(path), name))))
}
