/** The reader of PDFs: what pages of words and lines become, without any program. */
import t from 'tap'
import { documentOf } from '../../engines/programs/reflow/document.ts'
import { collect } from '../../engines/programs/reflow/docx/parts.ts'
import { table as wordTable } from '../../engines/programs/reflow/docx/table.ts'
import { paragraph as wordParagraph } from '../../engines/programs/reflow/docx/text.ts'
import { documentHtml } from '../../engines/programs/reflow/html.ts'
import type { Block, Drawn, Page, Word } from '../../engines/programs/reflow/model.ts'
import { readPages } from '../../engines/programs/reflow/pages.ts'

/** Words of a line, of letters half as wide as high: at x, on the baseline y. */
function line(x: number, y: number, text: string, more: Partial<Word> = {}): Word[] {
  const { size = 10 } = more
  let at = x
  return text.split(' ').map((word): Word => {
    const wide = [...word].length * 0.5 * size
    const box = [at, y - 0.8 * size, at + wide, y + 0.2 * size] as const
    at += wide + 0.25 * size
    return { text: word, box, base: y, size, font: 'Serif', colour: 0, turn: 0, spaced: true, ...more }
  })
}

/** A row of a table: words that begin at places. */
const row = (y: number, cells: Record<number, string>) =>
  Object.entries(cells).flatMap(([x, text]) => line(Number(x), y, text))

function page(words: Word[], rules: Drawn[] = []): Page {
  const none = { boxes: [], fields: [], dots: [], figures: [], pictures: [], links: [], hidden: false }
  return { ...none, bounds: [0, 0, 595, 842], words, rules }
}

const blocksOf = (...pages: Page[]) => documentOf(pages, []).sections.flatMap(({ pages }) => pages.flat())
const htmlOf = (...pages: Page[]) => documentHtml(documentOf(pages, []), String)

/** The rows of each table; `|` separates cells. */
const tablesOf = (html: string) =>
  [...html.matchAll(/<table[\s\S]*?<\/table>/g)].map(([table]) =>
    [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
      [...row!.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => cell).join('|'),
    ),
  )

const sentence = 'the harbour is dredged every spring because the silt of the river would close it within three years'
/** Lines of prose over the whole width. */
const prose = (y: number) => [0, 13, 26].flatMap((step) => line(60, y + step, `${sentence}.`, { size: 10 }))

t.test('columns are where white rivers run through all rows, as narrow as half a letter', async (t) => {
  // Numbers end 4.5 points before the next column begins.
  const number = (y: number, text: string) => line(215.5 - 5 * text.length, y, text)
  const rows = ['9', '1204', '38', '512'].map((text, index) => [
    ...row(300 + 16 * index, { 60: 'gull of May', 220: `north bay ${'abcd'[index]}` }),
    ...number(300 + 16 * index, text),
  ])
  t.strictSame(tablesOf(htmlOf(page([...prose(200), ...rows.flat(), ...prose(400)]))), [
    [
      'gull of May|9|north bay a',
      'gull of May|1204|north bay b',
      'gull of May|38|north bay c',
      'gull of May|512|north bay d',
    ],
  ])
})

t.test('two columns need three rows, and prose is no table', async (t) => {
  const pair = (y: number) => row(y, { 60: 'Port', 300: 'Kiel' })
  t.equal(tablesOf(htmlOf(page([...pair(100), ...pair(114), ...pair(128)])))[0]?.length, 3)
  t.strictSame(tablesOf(htmlOf(page([...prose(60), ...pair(110), ...pair(124), ...prose(160)]))), [])
})

t.test('cells of several lines are one, and a row above the first line is the head', async (t) => {
  const words = [
    ...row(100, { 60: 'Port', 160: 'Remark', 400: 'Ships' }),
    ...row(120, { 60: 'Kiel', 160: 'closed while the ice', 400: '12' }),
    ...row(132, { 160: 'is thick' }),
    ...row(152, { 60: 'Bremen', 160: 'open', 400: '31' }),
    ...row(172, { 60: 'Emden', 160: 'ferries only, as', 400: '7' }),
    ...row(184, { 160: 'the quay is old' }),
  ]
  const rows = [
    'Port|Remark|Ships',
    'Kiel|closed while the ice is thick|12',
    'Bremen|open|31',
    'Emden|ferries only, as the quay is old|7',
  ]
  const across = [106, 138, 158].map((y): Drawn => [58, y, 450, y + 0.5, '#336699'])
  for (const rules of [[], across]) t.strictSame(tablesOf(htmlOf(page(words, rules))), [rows])
})

t.test('a table goes on over pages, without its repeated head and with the rest of a row', async (t) => {
  const head = (y: number) =>
    ['Port', 'Ships', 'Remark'].flatMap((text, at) => line(60 + 150 * at, y, text, { bold: true }))
  const rows = (y: number, names: string[]) =>
    names.flatMap((name, at) => row(y + 20 * at, { 60: name, 210: `${10 + at}`, 360: 'open' }))
  const first = page([...prose(500), ...head(600), ...rows(620, ['Kiel', 'Bremen', 'Emden'])])
  const second = page([...head(60), ...rows(80, ['Husum', 'Leer', 'Norden']), ...prose(300)])
  const names = tablesOf(htmlOf(first, second)).map((table) => table.map((one) => one.split('|')[0]))
  t.strictSame(names, [['Port', 'Kiel', 'Bremen', 'Emden', 'Husum', 'Leer', 'Norden']])
})

t.test('lines that are drawn for some columns and rows only count for all', async (t) => {
  const head = { 70: 'Bay', 170: 'Birds', 270: 'Nests' }
  const rows = ['11', '204', '38', '512', '7'].map((text, at) => ({ 70: `bay ${'abcde'[at]}`, 185: text, 285: '3' }))
  const words = [head, ...rows].flatMap((cells, at) => row(110 + 16 * at, cells))
  // Numbers with a letter are no figures, and long ones take no longer to tell.
  const serial = `${'7'.repeat(300_000)}b`
  Object.assign(words.find(({ text }) => text === '512')!, { text: serial })
  const rule = (x0: number, y0: number, x1: number, y1: number): Drawn => [x0, y0, x1, y1, '#000000']
  const across = (ys: number[], from = 60) => ys.map((y) => rule(from, y, 360, y + 0.5))
  const down = (bottom: number) => [60, 160, 260, 360].map((x) => rule(x, 98, x + 0.5, x % 300 === 60 ? 194 : bottom))
  const steps = [0, 1, 2, 3, 4, 5, 6].map((at) => 98 + 16 * at)
  const expected = ['Bay|Birds|Nests', ...rows.map((cells) => `${cells[70]}|${cells[185].replace('512', serial)}|3`)]
  for (const [kind, rules] of Object.entries({
    'columns of the head': [...across(steps), ...down(114)],
    'no rows below the head': [...across([98, 114, 194]), ...down(194)],
    'rows of the other columns': [...across([98, 114, 194]), ...across(steps.slice(2, 6), 160), ...down(194)],
  }))
    t.strictSame(tablesOf(htmlOf(page(words, rules))), [expected], kind)
})

t.test('turned heads are the heads of their columns, in the order of their lines', async (t) => {
  /** Words that run up from the bottom of the head, with their left ends at x. */
  const up = (x: number, text: string) =>
    line(0, 0, text).map(({ box, ...word }): Word => {
      return { ...word, box: [x, 195 - box[2], x + 10, 195 - box[0]], base: x + 8, turn: -90 }
    })
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
  const rows = names.map((name, at) => row(214 + 20 * at, { 70: `bay ${name}`, 200: `${at}1`, 300: '27', 400: '30' }))
  const heads = [...line(70, 190, 'Bay'), ...[200, 212].flatMap((x, at) => up(x, ['eider nests', 'counted'][at]!))]
  const words = [...heads, ...up(300, 'terns'), ...up(400, 'gulls in May'), ...rows.flat()]
  const rule = (x0: number, y0: number, x1: number, y1: number): Drawn => [x0, y0, x1, y1, '#000000']
  const across = [100, ...[0, ...names.keys()].map((at) => 200 + 20 * at), 400].map((y) => rule(60, y, 460, y + 0.5))
  const expected = [
    'Bay|eider nests counted|terns|gulls in May',
    ...names.map((name, at) => `bay ${name}|${at}1|27|30`),
  ]
  for (const top of [100, 200]) {
    const down = [60, 160, 260, 360, 460].map((x) => rule(x, x % 400 === 60 ? 100 : top, x + 0.5, 400))
    t.strictSame(tablesOf(htmlOf(page(words, [...across, ...down]))), [expected], `columns from ${top} on`)
  }
})

t.test('letters of tables do not say what body text is; headings below each other stay apart', async (t) => {
  const small = Array.from({ length: 40 }, (_, at) =>
    [60, 160, 260, 360].flatMap((x) => line(x, 200 + 12 * at, `entry ${at}`, { size: 7 })),
  )
  t.notMatch(htmlOf(page([...prose(60), ...prose(120), ...small.flat()])), /<h\d/)
  const heads = [...line(60, 100, 'Harbours', { bold: true }), ...line(60, 118, 'Of the north', { bold: true })]
  t.match(htmlOf(page([...heads, ...prose(140)])), /<h1>Harbours<\/h1>\n<h1>Of the north<\/h1>/)
})

t.test('from right to left the first column is at the right, and signs are before numbers', async (t) => {
  const words = ['ריק', 'ריב', 'ריד'].flatMap((text, at) =>
    row(100 + 16 * at, { 60: '3.5-', 200: 'תיב', 340: text }).map((word) => ({ ...word, back: true })),
  )
  t.match(htmlOf(page(words)), '<table dir="rtl"><tbody><tr><td>ריק</td><td>תיב</td><td>-3.5</td></tr>')
})

t.test('East Asian text: no space for a quarter of an em, nor where a Korean word was broken', async (t) => {
  const plain = (x: number, y: number, text: string, parted = false): Word => ({
    ...line(x, y, text)[0]!,
    box: [x, y - 8, x + 10 * text.length, y + 2],
    spaced: false,
    ...(parted && { parted }),
  })
  const mixed = [
    plain(60, 100, '使用'),
    { ...plain(82.5, 100, 'API'), box: [82.5, 92, 97.5, 102] as const },
    plain(100, 100, '的'),
  ]
  t.match(htmlOf(page(mixed)), '<p>使用API的</p>')
  // Lines end with a typed space, or within a word.
  const full = '가나다라마바사아자차카타파하가나다라마바사아자차카타파하가나다라마바사아자'
  const lines = [0, 1, 2, 3, 4, 5].map((at) => plain(60, 200 + 14 * at, full, at % 2 === 1))
  t.match(htmlOf(page(lines)), `<p>${[0, 1, 2].map(() => `${full} ${full}`).join('')}</p>`)
})

t.test('radicals become the ideographs that they look like', async (t) => {
  const { pages } = readPages(`{}\n${JSON.stringify(page(line(60, 90, '⽇⻑⻘')))}`)
  t.equal(pages[0]?.words[0]?.text, '日長青')
})

t.test('titles of articles are headings', async (t) => {
  const law = [1, 2, 3].flatMap((at) => [...line(60, 100 * at, `제${at}조 (목적)`), ...prose(100 * at + 14)])
  t.match(htmlOf(page(law)), /<h1>제1조 \(목적\)<\/h1>\n<p>the harbour[\s\S]*<h1>제3조/)
})

t.test('DOCX keeps lines with their look, places in cells and wide gaps', async (t) => {
  const words = [
    ...line(60, 90, 'Invoice'),
    ...line(500, 90, 'No 12'),
    ...prose(120),
    ...row(204, { 70: 'a', 200: 'b' }),
    ...row(244, { 70: 'c', 200: 'd' }),
  ]
  const across = [192, 232, 272].map((y): Drawn => [60, y, 300, y + 2, '#cc0000'])
  const down = [60, 180, 300].map((x): Drawn => [x - 1, 192, x + 1, 274, '#cc0000'])
  const blocks: Block[] = blocksOf(page(words, [[60, 97, 552, 98, '#0000ff'], ...across, ...down]))
  const parts = collect('Serif', 10)
  const xml = blocks.map((block) => {
    if (block.kind === 'picture') return ''
    return block.kind === 'table' ? wordTable(block, parts, 500) : wordParagraph(block, parts)
  })
  t.match(xml[0], '<w:pBdr><w:bottom w:val="single" w:sz="8" w:space="1" w:color="0000ff"/></w:pBdr>')
  t.match(xml[0], /<w:tabs><w:tab w:val="right" w:pos="9250"\/><\/w:tabs>[\s\S]*Invoice<\/w:t><w:tab\/><w:t[^>]*>No 12/)
  t.match(xml.at(-1), '<w:insideH w:val="single" w:sz="16" w:space="0" w:color="cc0000"/>')
  t.match(xml.at(-1), '<w:vAlign w:val="top"/>')
})

t.test('a quotation that is narrower than its column flows, an address does not', (t) => {
  const quote = [
    'the lamp burns all night and',
    'nobody on the quay has ever',
    'asked who carries the oil up',
    'those narrow steps at dusk.',
  ]
  const address = ['Harbour Office of Ystad Town', 'Quay Street 12', 'P.O. Box 7', 'Ystad']
  const lines = [quote, address].flatMap((texts, part) =>
    texts.flatMap((text, index) => line(120, 300 + 100 * part + 13 * index, text)),
  )
  const [, quoted, addressed] = blocksOf(page([...prose(200), ...lines, ...prose(600)]))
  t.match(quoted, { kind: 'paragraph', left: 60 })
  const xml = wordParagraph(quoted as Extract<Block, { kind: 'paragraph' }>, collect('Serif', 10))
  t.match(xml, /<w:ind w:left="1200" w:right="[4-7]\d{3}"/)
  t.notMatch(xml, /<w:br\/>/)
  t.notMatch(addressed, { right: Number })
  t.end()
})

t.test('listings keep their lines and indents, and shades behind them are no tables', async (t) => {
  const mono = { mono: true, font: 'Mono' }
  const listing = (y: number) => [
    ...line(60, y, 'if', { ...mono, bold: true }),
    ...line(75, y, '(late)', mono),
    ...line(80, y + 12, 'return', { ...mono, bold: true }),
    ...line(60, y + 36, 'wait()', mono),
  ]
  const shades = [290, 302, 326].map((y): Drawn => [58, y, 300, y + 12, '#eeeeee'])
  const inline = [...line(60, 400, 'Call'), ...line(82.5, 400, 'wait()', mono), ...line(115, 400, 'before all else.')]
  const one = () => line(60, 300, 'wait()', mono)
  const made = (words: Word[], boxes: Drawn[] = []) => htmlOf({ ...page([...prose(200), ...words]), boxes })
  t.match(
    made([...listing(300), ...inline], shades),
    '<pre><code>if (late)\n    return\n\nwait()</code></pre>\n<p>Call <code>wait()</code> before all else.</p>',
  )
  t.notMatch(made([...one(), ...inline]), '<code>', 'one word in a typewriter is not yet code')
  t.match(made([...one(), ...listing(500)], shades), '<pre><code>wait()</code></pre>', 'one line on a shade')
  const letter = page([...listing(300), ...line(60, 360, 'Dear Ann, the boat is late.', mono)])
  t.notMatch(htmlOf(letter), '<pre>', 'a typewritten letter')
  const wide = [...line(60, 300, '港湾 12', mono), ...line(60, 312, '北港 34', mono)]
  t.notMatch(made(wide), '<pre>', 'a font of East Asian letters')
  const east = [300, 312].flatMap((y) => [...line(60, y, '港湾の春'), ...line(90, y, 'wait()', mono)])
  t.equal(made([...east, ...listing(500)]).split('<pre>').length, 2, 'code in East Asian prose')
  const rest = [60, 72].flatMap((y) => line(72, y, 'go()', mono))
  const parted = [page([...prose(200), ...listing(700)]), page([...rest, ...prose(200)])]
  t.match(htmlOf(...parted), 'wait()\n  go()\n  go()</code></pre>', 'over a page break')
  const cells = [300, 316, 332].flatMap((y) => [...line(60, y, '--time', mono), ...line(200, y, 'how long')])
  const fills = [288, 304, 320].flatMap((y): Drawn[] => [
    [58, y, 198, y + 16, '#eee'],
    [198, y, 340, y + 16, '#eee'],
  ])
  t.equal(tablesOf(made([...cells, ...listing(500)], fills))[0]?.length, 3, 'code in cells of a table')
})
