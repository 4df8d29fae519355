import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { pandoc } from '../../fixtures/office.ts'
import { program } from '../../fixtures/program.ts'

/** Two words in each of many scripts. */
export const scripts: Readonly<Record<string, string>> = {
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

/** Writes the scripts, one per line, into a file of `format`. A slide holds eight scripts; only the first slide counts. */
export async function write(format: string, folder: string): Promise<string> {
  const output = join(folder, `scripts.${format}`)
  const source = join(folder, 'scripts.md')
  if (format === 'svg') {
    const texts = lines.map((line, index) => `<text x="20" y="${40 + index * 32}" font-size="20">${line}</text>`)
    const size = `width="480" height="${60 + lines.length * 32}"`
    await writeFile(
      output,
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="Arial">${texts.join('')}</svg>`,
    )
    return output
  }
  const paged = lines.map((line, index) => (format === 'pptx' && index % 8 === 0 ? `# Slide\n\n${line}` : line))
  await writeFile(source, paged.join('\n\n'))
  await pandoc(source, output, ...(format === 'html' ? ['--metadata', 'pagetitle=scripts'] : []))
  return output
}

/** Normalises letters. Presentation forms, spaces and marks of direction do not count. */
const letters = (text: string) => text.normalize('NFKC').replace(/\s|\p{Cc}|\p{Cf}|\ufe0f/gu, '')

/** Returns scripts with words that are missing in a text. */
export function missingIn(text: string): string[] {
  const said = letters(text)
  return Object.entries(scripts)
    .filter(([, line]) => line.split(' ').some((word) => !said.includes(letters(word))))
    .map(([name]) => name)
}

/** Returns letters that a PDF draws as the box for missing glyphs. */
export async function boxes(path: string): Promise<string[]> {
  const trace = (await program('mutool', 'trace', path)).toString()
  return [...trace.matchAll(/<g unicode="([^"]*)" glyph="(?:0|\.notdef)"/g)].map(([, letter]) => letter!)
}

/** Resolution in dpi at which pages are compared. */
const RESOLUTION = 144

/** Returns words of a PDF without visible glyphs. */
export async function blank(path: string): Promise<string[]> {
  const count = Number((await program('qpdf', '--show-npages', path)).toString())
  const words: string[] = []
  for (let page = 1; page <= count; page++) {
    const only = ['-f', page, '-l', page]
    const { data, info } = await sharp(await program('pdftoppm', '-r', RESOLUTION, '-gray', '-png', ...only, path))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const boxes = (await program('pdftotext', '-bbox', ...only, path, '-')).toString()
    for (const [, ...found] of boxes.matchAll(
      /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</g,
    )) {
      const [left, top, right, bottom] = found.slice(0, 4).map((at) => Math.round((Number(at) * RESOLUTION) / 72))
      let dark = 0
      for (let y = Math.max(0, top!); y < Math.min(info.height, bottom!); y++)
        for (let x = Math.max(0, left!); x < Math.min(info.width, right!); x++)
          if (data[(y * info.width + x) * info.channels]! < 200) dark++
      // Marks below letters of another word have little ink in their own place.
      if (dark < 8 && !/^\p{M}+\p{L}?$/u.test(found[4]!)) words.push(found[4]!)
    }
  }
  return words
}
