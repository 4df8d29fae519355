/** PDF/A of odd documents and of other formats, and that its pages look as before. */
import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { brokenRules } from '../../fixtures/pdfa.ts'
import { magick, program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { studio } from '../../harness/studio.ts'
import { oddPdfs } from './odd-pdfs.ts'
import { facts } from './reading.ts'

const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

const odd = await oddPdfs(own)

const archive = async (t: Test, source: string | Buffer, from = 'pdf') => {
  const { path } = await own.convert(source, `${from}>pdfa.pdf`)
  t.strictSame(await brokenRules(path), [])
  await program('qpdf', '--check', path)
  return path
}
const text = async (path: string) => (await program('pdftotext', '-layout', path, '-')).toString().trim()

t.test('odd documents keep their text', async (t) => {
  for (const [name, shown] of [
    ['owner', /^Behind a password$/],
    ['layers', /^In a form$/],
    ['namesakes', /Named\s+like a file\s+like another/],
    ['cut', /^Cut off at its end$/],
  ] as const)
    t.match(await text(await archive(t, odd[name]!)), shown)
})

t.test('pages look as before, and pictures of inks keep their bytes', async (t) => {
  const jpeg = await withFolder(async (folder) => {
    await magick('rose:', '-resize', '400%', '-colorspace', 'CMYK', '-quality', '90', `${folder}/inks.jpg`)
    return readFile(`${folder}/inks.jpg`)
  })
  const inks = await archive(t, jpeg, 'jpg')
  t.ok((await readFile(inks)).includes(jpeg.subarray(-2000)), 'the JPEG is not encoded again')
  const page = (path: string) =>
    program('pdftoppm', '-r', 72, '-x', 0, '-y', 210, '-H', 190, '-png', '-singlefile', path, `${path}-drawn`)
  for (const name of ['glyphs', 'layers', 'forbidden'] as const) {
    const pages = [odd[name]!, await archive(t, odd[name]!)]
    for (const path of pages) await page(path)
    const [one, other] = pages.map((path) => `${path}-drawn.png`)
    const unlike = await program('compare-im6.q16', '-metric', 'RMSE', one!, other!, 'null:').then(
      () => 'same',
      (error: { stderr: Buffer }) => error.stderr.toString(),
    )
    t.ok(unlike === 'same' || Number(/\(([\d.e-]+)\)/.exec(unlike)?.[1]) < 0.02, `${name}: ${unlike}`)
  }
})

t.test('texts, sheets and pages become PDF/A with their title, language and fonts', async (t) => {
  const page = '<html lang="de"><title>Grüße</title><h1>Öl</h1><p><a href="https://a.example/">x</a>'
  const printed = await archive(t, Buffer.from(page), 'html')
  t.match(await facts(printed), { Title: 'Grüße' })
  t.match(await text(printed), 'Öl')
  const rtf = '{\\rtf1 {\\info{\\title Ledgers}{\\author Ann}}Plain words\\par}'
  t.match(await facts(await archive(t, Buffer.from(rtf), 'rtf')), { Title: 'Ledgers', Author: 'Ann' })
  t.match(await text(await archive(t, Buffer.from('name,amount\nÅsa,12\n'), 'csv')), /Åsa\s+12/)
})
