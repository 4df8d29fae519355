/** Lines and letters of East Asian fonts that Debian lacks have the measures that Word gives them. */
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { paragraph, wordDocument } from './word.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])

const SIZE = 20
const WORD = 83 / 64

/** The advance of each letter in em, and the height of Word's line. */
const fonts = [
  { name: '맑은 고딕', text: '가힣0漢', widths: [1, 1, 0.551, 1], line: 1.33 },
  { name: '바탕', text: '가0M', widths: [1, 1220 / 2048, 1832 / 2048], line: 1 },
  { name: 'ＭＳ 明朝', text: '漢あM0i', widths: [1, 1, 0.5, 0.5, 0.5], line: 1 },
  { name: 'MS PGothic', text: '漢あMi', widths: [1, 209 / 256, 190 / 256, 54 / 256], line: 1 },
  { name: 'Meiryo', text: '漢あ0', widths: [1, 1, 1272 / 2048], line: 1.5 },
  { name: '宋体', text: '汉M0', widths: [1, 0.5, 0.5], line: 1 },
  { name: 'PMingLiU', text: '體M', widths: [1, 1710 / 2048], line: 1 },
]

interface Letter {
  letter: string
  x: number
  y: number
}

/** The letters of a PDF and where they start, as MuPDF sees them, line by line. */
async function lettersOf(path: string): Promise<Letter[][]> {
  const xml = (await program('mutool', 'draw', '-F', 'stext', path)).toString()
  return xml
    .split('<line ')
    .slice(1)
    .map((line) =>
      [...line.matchAll(/<char [^>]*x="([\d.]+)" y="([\d.]+)"[^>]* c="([^"]*)"/g)].map(([, x, y, letter]) => ({
        letter: letter!,
        x: Number(x),
        y: Number(y),
      })),
    )
}

/** How often a line has its letter. */
const REPEATED = 12

t.test('texts of Word', async (t) => {
  const look = (name: string) =>
    `<w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}"/><w:sz w:val="${SIZE * 2}"/></w:rPr>`
  const row = (name: string, letter: string) =>
    paragraph(letter.repeat(REPEATED), '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>').replace(
      '<w:r>',
      `<w:r>${look(name)}`,
    )
  const broken = (first: string) => first.replace('<w:pPr>', '<w:pPr><w:pageBreakBefore/>')
  const body = fonts.map(({ name, text }) =>
    [...text].map((letter, index) => (index === 0 ? broken(row(name, letter)) : row(name, letter))).join(''),
  )
  const all = await lettersOf((await own.convert(await wordDocument(body.join('')), 'docx>pdf')).path)
  t.equal(
    all.length,
    fonts.reduce((sum, { text }) => sum + text.length, 0),
  )
  for (const { name, text, widths, line } of fonts) {
    const lines = all.splice(0, text.length)
    for (const [index, letters] of lines.entries()) {
      const last = letters.length - 1
      const measured = (letters[last]!.x - letters[0]!.x) / last / SIZE
      t.ok(Math.abs(measured - widths[index]!) < 0.008, `${name} ${text[index]}: ${measured} for ${widths[index]}`)
    }
    const pitch = (lines[1]![0]!.y - lines[0]![0]!.y) / SIZE
    t.ok(Math.abs(pitch - line * WORD) < 0.01, `${name}: a line has ${pitch} em for ${line * WORD}`)
  }
  const source = await wordDocument(row('宋体', '汉').repeat(100))
  for (const older of ['doc', 'rtf']) {
    const { bytes } = await own.convert(source, `docx>${older}`)
    const lines = await lettersOf((await own.convert(bytes, `${older}>pdf`)).path)
    const pitch = (lines[1]![0]!.y - lines[0]![0]!.y) / SIZE
    t.ok(Math.abs(pitch - WORD) < 0.01, `${older}: ${pitch}`)
  }
})

t.test('texts of others have the lines of the font alone', async (t) => {
  const space = ['office', 'style', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  const line = '<text:p text:style-name="A">漢字あ</text:p>'
  const flat = `<?xml version="1.0" encoding="UTF-8"?><office:document ${space.join(' ')}
    xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3"
    office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles>
    <style:style style:name="A" style:family="paragraph"><style:text-properties style:font-family-asian="Meiryo"
    style:font-size-asian="${SIZE}pt" fo:font-size="8pt"/></style:style></office:automatic-styles><office:body>
    <office:text>${line}${line}</office:text></office:body></office:document>`
  const lines = await lettersOf((await own.convert(Buffer.from(flat), 'fodt>pdf')).path)
  t.ok(Math.abs((lines[1]![0]!.y - lines[0]![0]!.y) / SIZE - 1.5) < 0.01)
})
