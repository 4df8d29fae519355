/** Documents in many scripts: every letter is drawn, and can be extracted from the PDF. */
import { chmod } from 'node:fs/promises'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { blank, boxes, likeness, missingIn, write } from './scripts.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, folder } = documents

for (const format of ['docx', 'pptx', 'html', 'svg'])
  t.test(`${format} in every script`, async (t) => {
    const source = await write(format, folder)
    await chmod(source, 0o644)
    const pdf = await convert(source, 'pdf')
    const text = (await program('pdftotext', '-layout', pdf.path, '-')).toString()
    t.strictSame(missingIn(text), [], 'the text comes out again')
    t.strictSame(await boxes(pdf.path), [], 'no letter is the box of a font that lacks it')
    const picture = await convert(source, 'png')
    t.strictSame(await blank(pdf.path), [], 'every word is drawn')
    const psnr = await likeness(picture, pdf.path)
    t.ok(psnr > 22, `the picture looks the same: ${psnr.toFixed(1)} dB`)
  })
