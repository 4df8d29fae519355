/** PDFs whose words are hard to get: fonts without tables of characters, forms, vertical writing. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { pdfOf, streamOf } from '../../fixtures/pdf.ts'
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

t.test('accents that are drawn over their letters, before or after them, and signs beside letters', async (t) => {
  const line =
    '[(M) -111 (\\250) 444 (uller, a gar) 0 (c) 417 (\\270) -84 (on, a ) -111 (\\250) 444 (Uberweg, `code`, x^2 ~5)] TJ'
  const text = `BT /F 12 Tf 50 100 Td ${line} 0 -40 Td (Another line of words.) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  const source = `%PDF-1.4\n${body}trailer<</Root 1 0 R>>\n`
  for (const to of ['html', 'docx>txt']) {
    const [first = '', last] = to.split('>')
    const { bytes } = await made(source, `pdf>${first}`)
    const read = last ? await raw(bytes, to) : bytes.toString()
    t.match(read, 'Müller, a garçon, a Überweg, `code`, x^2 ~5', to)
  }
})

t.test('Arabic ligatures of glyphs from left to right, and glyphs without a letter', async (t) => {
  const table = `1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar
    <6d> <0645> <4c> <06440627> <73> <0633> <01> <0002> endbfchar`
  const source = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R/A 6 0 R>>>>>>',
    streamOf('BT /A 12 Tf 50 100 Td (mLs) Tj 0 -40 Td (\\001) Tj /F 12 Tf (Another line of words.) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R>>',
    streamOf(table),
  ])
  for (const to of ['html', 'txt'])
    t.match((await made(source, `pdf>${to}`)).bytes.toString(), /سلام[\s\S]*(>|^)Another line of words\./m, to)
})

t.test('spaces between words of fonts with one width for all letters, or with a size of their own', async (t) => {
  const drawn = '600 0 0 0 600 700 d1 0 0 500 700 re f'
  const source = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R/A 6 0 R>>>>>>',
    streamOf(`BT /F 12 Tf 50 150 Td [${[...'ab aba'].map((letter) => `(${letter}) 450`).join(' ')}] TJ
      /A 58 Tf 0 -50 Td (abab ba) Tj ET`),
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 99/Widths[${'1000 '.repeat(68)}]>>`,
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.0002 0 0 .0002 0 0]/FirstChar 32/LastChar 98
      /Widths[250 ${'0 '.repeat(64)} 600 600]/CharProcs<</a 7 0 R/b 7 0 R/space 8 0 R>>/Resources<<>>
      /Encoding<</Type/Encoding/Differences[97/a/b 32/space]>>>>`,
    streamOf(drawn),
    streamOf('250 0 0 0 0 0 d1'),
  ])
  t.match((await made(source, 'pdf>html')).bytes.toString(), /ab aba[\s\S]*abab ba/)
})

t.test('text among a hundred areas that a pattern fills', async (t) => {
  const areas = Array.from({ length: 100 }, (_, at) => `/T scn ${4 * at} 20 3 90 re f`).join(' ')
  const source = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 200]/Contents 4 0 R
      /Resources<</Font<</F 5 0 R>>/Pattern<</T 6 0 R>>>>>>`,
    streamOf(`/Pattern cs ${areas} 0 g BT /F 12 Tf 50 150 Td (Bars of a chart) Tj ET`),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    streamOf('0 0 1 1 re f', '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 2 2]/XStep 2/YStep 2/Resources<<>>'),
  ])
  t.match((await made(source, 'pdf>html')).bytes.toString(), 'Bars of a chart')
})

t.test('photos keep their JPEG, and pixels that are stored otherwise become a picture', async (t) => {
  const colours = { blue: '#3060c0', green: '#30a060' }
  const solid = (background: string, width: number) => sharp({ create: { width, height: 40, channels: 3, background } })
  const blue = await solid(colours.blue, 60).jpeg().toBuffer()
  const green = deflateSync(await solid(colours.green, 50).raw().toBuffer()).toString('latin1')
  const image = (width: number, filter = '') =>
    `/Type/XObject/Subtype/Image/Width ${width}/Height 40/ColorSpace/DeviceRGB/BitsPerComponent 8${filter}`
  const draw = 'BT /F 12 Tf 50 350 Td (Two pictures) Tj ET q 60 0 0 40 50 200 cm /B Do Q q 50 0 0 40 50 100 cm /G Do Q'
  const source = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R
      /Resources<</Font<</F 5 0 R>>/XObject<</B 6 0 R/G 7 0 R>>>>>>`,
    streamOf(draw),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    streamOf(blue.toString('latin1'), image(60, '/Filter/DCTDecode')),
    streamOf(green, image(50, '/Filter/FlateDecode')),
  ])
  const { bytes } = await made(source, 'pdf>html')
  const pictures = [...bytes.toString().matchAll(/data:image\/(\w+);base64,([\w+/=]+)/g)]
  t.strictSame(
    pictures.map(([, type]) => type),
    ['jpeg', 'png'],
  )
  t.strictSame(Buffer.from(pictures[0]![2]!, 'base64'), blue)
  const { data } = await sharp(Buffer.from(pictures[1]![2]!, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  t.equal(`#${data.subarray(0, 3).toString('hex')}`, colours.green)
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
