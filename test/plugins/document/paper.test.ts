/** Texts are printed on white paper. */
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file, folder } = documents

t.test('there is nothing but white and black on the page of a plain text', async (t) => {
  const sources = {
    md: '# Tides\n\nHigh and low.\n',
    rst: 'Tides\n=====\n\nHigh and low.\n',
    org: '* Tides\n\nHigh.\n',
  }
  for (const [format, text] of Object.entries(sources)) {
    const { path } = await convert(await file(`tides.${format}`, text), 'pdf')
    await program('pdftoppm', '-r', '20', '-png', '-singlefile', '-aa', 'no', path, `${folder}/${format}`)
    const pixels = await sharp(`${folder}/${format}.png`).greyscale().raw().toBuffer()
    t.strictSame(
      [...new Set(pixels)].filter((value) => value > 100),
      [255],
      format,
    )
  }
})
