/** Documents in many scripts: every letter is drawn, and can be extracted from the PDF. */
import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { pandoc } from '../../fixtures/office.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { lettersIn } from './reading.ts'

t.setTimeout(60 * 60_000)
const own = await bare(t, ['document'])

/** Two words in each of many scripts. */
const scripts: Readonly<Record<string, string>> = {
  latin: 'Zażółć gęślą',
  greek: 'Ωκεανός θάλασσα',
  cyrillic: 'мореплавание щука',
  georgian: 'ზღვა გემი',
  armenian: 'ծով նավ',
  chinese: '海洋航行 灯塔',
  traditional: '燈塔書寫 海洋',
  japanese: '灯台守は 手紙を',
  korean: '바다와 등대',
  arabic: 'البحر والمنارة',
  hebrew: 'מגדלור הים',
  devanagari: 'समुद्र प्रकाशस्तंभ',
  bengali: 'সমুদ্র বাতিঘর',
  gurmukhi: 'ਸਮੁੰਦਰ ਜਹਾਜ਼',
  gujarati: 'દરિયો દીવાદાંડી',
  oriya: 'ସମୁଦ୍ର ଜାହାଜ',
  tamil: 'கடல் கப்பல்',
  telugu: 'సముద్రం ఓడ',
  kannada: 'ಸಮುದ್ರ ಹಡಗು',
  malayalam: 'സമുദ്രം കപ്പൽ',
  sinhala: 'මුහුද නැව',
  thai: 'ทะเลและประภาคาร เรือ',
  emoji: '😀 🚀',
}

const lines = Object.values(scripts)

/** The scripts, one per line, in a file of a format. A slide holds eight of them. */
async function written(format: string): Promise<Buffer> {
  if (format === 'svg') {
    const texts = lines.map((line, index) => `<text x="20" y="${40 + index * 32}" font-size="20">${line}</text>`)
    const size = `width="480" height="${60 + lines.length * 32}"`
    return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="Arial">${texts.join('')}</svg>`)
  }
  const source = `${own.folder}/scripts.md`
  const output = `${own.folder}/scripts.${format}`
  const paged = lines.map((line, index) => (format === 'pptx' && index % 8 === 0 ? `# Slide\n\n${line}` : line))
  await writeFile(source, paged.join('\n\n'))
  await pandoc(source, output, '--metadata', 'pagetitle=scripts')
  return readFile(output)
}

/** Normalises letters. Presentation forms, spaces and marks of direction do not count. */
const letters = (text: string) => text.normalize('NFKC').replace(/\s|\p{Cc}|\p{Cf}|\ufe0f/gu, '')

/** Returns scripts with words that are missing in a text. */
function missingIn(text: string): string[] {
  const said = letters(text)
  return Object.entries(scripts)
    .filter(([, line]) => line.split(' ').some((word) => !said.includes(letters(word))))
    .map(([name]) => name)
}

for (const format of ['docx', 'pptx', 'html', 'svg'])
  t.test(`${format} in every script`, async (t) => {
    const { path } = await own.convert(await written(format), `${format}>pdf`)
    const text = (await program('pdftotext', '-layout', path, '-')).toString()
    t.strictSame(missingIn(text), [], 'the text comes out again')
    const drawn = await lettersIn(path)
    t.strictSame(
      drawn.filter(({ box }) => box),
      [],
      'no letter is the box of a font that lacks it',
    )
  })
