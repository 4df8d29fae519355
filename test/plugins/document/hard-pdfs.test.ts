/** PDFs whose words are hard to get: fonts without tables of characters, forms, vertical writing. */
import t from 'tap'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { oddPdfs } from './odd-pdfs.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const odd = await oddPdfs(own)
const { made, raw } = reader(own)
const said = async (name: string, to: string) => (await own.convert(odd[name]!, `pdf>${to}`)).bytes.toString()

t.test('letters by names of glyphs and by the tables of font programs', async (t) => {
  for (const to of ['txt', 'md']) {
    t.match(await said('bitmap', to), /a\s+first\s+efficient\s+offset/, to)
    const wide = await said('wide', to)
    t.match(wide, 'Wide letters', to)
    t.notMatch(wide, /[\x00-\x08\x0b\x0e-\x1f\ufffd]/, to)
  }
})

t.test('values of a form and words typed on a page, where they stand', async (t) => {
  const html = await said('filled', 'html')
  const text = html.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  t.match(text, /Name: Ada Pilot Agreed: \u2611 Paid: \u2610 Typed words/)
  t.match(await said('form', 'md'), /Form[\s\S]*Filled in/)
})

t.test('columns of vertical writing from right to left, with ruby after its word', async (t) => {
  const text = '吾輩は<ruby>猫<rt>ねこ</rt></ruby>である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。'
  const style = '@page { size: A6 } html { writing-mode: vertical-rl; font: 16px "Noto Serif CJK JP" }'
  const page = `<!doctype html><meta charset="utf-8"><style>${style}</style><h1>第一章</h1><p>${text}</p>`
  const { bytes } = await made(page, 'html>pdf')
  for (const to of ['md', 'txt']) {
    const read = await raw(bytes, `pdf>${to}`)
    t.match(read, /第一章\s+吾輩は猫（ねこ）である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。/, to)
  }
})
