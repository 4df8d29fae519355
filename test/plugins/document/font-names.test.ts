/** What stands for fonts that Debian lacks: letters of the same kind, never boxes, dingbats or another script. */
import t from 'tap'
import { bare } from '../bare.ts'
import { lettersIn } from './reading.ts'

t.setTimeout(30 * 60_000)
const { convert } = await bare(t, ['document', 'vector'])

/** The font that must stand for each; '' if any that has letters may. */
const names: Readonly<Record<string, string>> = {
  Impact: 'LiberationSansNarrow-B',
  'Arial Black': 'DejaVuSans-Bold',
  'Cooper Black': 'URWBookmanDemi',
  'Comic Sans MS': 'ComicNeueRegular',
  'Segoe Print': 'ComicNeueRegular',
  'Century Gothic': 'URWGothicBook',
  'Palatino Linotype': 'P052Roman',
  'Century Schoolbook': 'C059Roman',
  'Bookman Old Style': 'URWBookmanLight',
  Tahoma: 'DejaVuSansCondensed',
  Verdana: 'AthanorVerdana',
  Consolas: 'AthanorConsolas',
  'Lucida Console': 'AthanorLucidaConsole',
  Menlo: 'DejaVuSansMono',
  Garamond: 'EBGaramond',
  'Monotype Corsiva': 'Z003',
  Arial: 'LiberationSans',
  'Arial Narrow': 'LiberationSansNarrow',
  'Times New Roman': 'LiberationSerif',
  'Courier New': 'LiberationMono',
  Calibri: 'Carlito',
  Cambria: 'Caladea',
  Georgia: 'NotoSerif',
  Helvetica: '',
  'Segoe UI': '',
  'Gill Sans MT': '',
  Algerian: '',
}

/** Fonts that must stand for no other. */
const WRONG = /^(D050000L|StandardSymbols|Symbola|OpenSymbol)/

/** A flat text document with a line in each font. */
function flat(lines: readonly (readonly [font: string, line: string])[]): string {
  const styles = lines.map(
    ([font], index) =>
      `<style:style style:name="P${index}" style:family="paragraph"><style:text-properties fo:font-family="${font}"/></style:style>`,
  )
  const paragraphs = lines.map(([, line], index) => `<text:p text:style-name="P${index}">${line}</text:p>`)
  const spaces = ['office', 'style', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${spaces.join(' ')} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:automatic-styles>${styles.join('')}</office:automatic-styles>
<office:body><office:text>${paragraphs.join('')}</office:text></office:body></office:document>`
}

/** Without letters that some fonts join. */
const WORD = 'Hamburg0123'

t.test('a text in many fonts', async (t) => {
  const lines = Object.keys(names).map((font) => [font, WORD] as const)
  const letters = await lettersIn((await convert(Buffer.from(flat(lines)), 'fodt>pdf')).path)
  t.equal(letters.map(({ letter }) => letter).join(''), WORD.repeat(lines.length))
  for (const [index, [font, expected]] of Object.entries(names).entries()) {
    const own = letters.slice(index * WORD.length, (index + 1) * WORD.length)
    const [first, ...others] = [...new Set(own.map((each) => each.font))]
    t.ok(first?.startsWith(expected) && others.length === 0 && !WRONG.test(first), `${font}: ${first}`)
    t.notOk(
      own.some(({ box }) => box),
      `${font}: no box`,
    )
  }
})

t.test('signs that are typed as letters of Wingdings and its kin', async (t) => {
  const lines = [
    ['Wingdings', '\u00fc\u00e0Jln'],
    ['Wingdings', '\uf0fc\uf0e0\uf04a\uf0a7'],
    ['Wingdings 2', 'PR\uf0a3'],
    ['Wingdings 3', '\uf07da'],
    ['Webdings', 'ar\uf061\uf0fc'],
    ['Symbol', 'ab\uf061\uf0e5\uf0b7'],
  ] as const
  const letters = await lettersIn((await convert(Buffer.from(flat(lines)), 'fodt>pdf')).path)
  t.notOk(letters.some(({ box }) => box))
  let at = 0
  for (const [font, line] of lines) {
    const own = letters.slice(at, (at += line.length)).map((letter) => letter.font.replace(/Regular$/, ''))
    const wanted = font === 'Symbol' ? 'StandardSymbolsPS' : `Athanor${font.replace(' ', '')}`
    t.strictSame([...new Set(own)], [wanted], font)
  }
})
