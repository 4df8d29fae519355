/** What the ebook plugin runs, without running it. */
import t from 'tap'
import { fail } from '../../../kernel/kit.ts'
import makeEbook from '../../../plugins/ebook/index.ts'
import { agree, linesOf } from '../routes.ts'

const plugin = makeEbook({ settings: { ocr: { languages: [] } } })
const commands = (pair: string, options: object = {}, answers: Parameters<typeof linesOf>[3] = {}) =>
  linesOf(plugin, pair, { ...options }, answers)
const HEADINGS = '--level1-toc //h:h1 --level2-toc //h:h2 --level3-toc //h:h3'

t.test('each kind of pair', (t) =>
  agree(
    t,
    commands,
    `
html>epub: calibre HEADINGS --max-levels 0 --no-default-epub-cover
docx>epub: repack --flow ; calibre HEADINGS --no-default-epub-cover
md>mobi: calibre HEADINGS --formatting-type markdown
pdf>epub: ocr look ; mutool-read ; reflow book ; calibre HEADINGS --max-levels 0 --no-default-epub-cover
epub>epub: epub-packer
epub>mobi: epub-packer --clean ; calibre
epub>fb2: epub-packer --clean ; calibre --sectionize toc
mobi>epub: calibre --no-default-epub-cover
chm>mobi: chm ; calibre
`,
    /(.*)/,
    { HEADINGS },
  ),
)

t.test('pages that cannot be read stay as they are', async (t) => {
  const ocr = ['{"unread":"1","read":1,"pages":1}', fail('CONVERSION_ERROR', 'no')]
  t.match(await commands('pdf>epub', {}, { ocr }), [
    'ocr look',
    'ocr flow all 1',
    /^mutool-read/,
    /^reflow/,
    /^calibre/,
  ])
})

t.test('comics', async (t) => {
  const [unpack, ...rest] = await commands('cbr>epub')
  t.strictSame(rest, ['comic', 'calibre --no-process --no-default-epub-cover'])
  const { rules, exception } = JSON.parse(unpack!.slice('archive '.length))
  t.match(rules, { wholeFiles: true, backslashes: true, anyLinks: false, limits: { entries: 20_000, bytes: 2 ** 30 } })
  t.match(exception, { when: 'rar4', source: { unpack: ['unar'] } })
  t.match(await commands('cb7>cbz'), [/^archive/, 'comic'])
})

t.test('pages of a document as a comic', async (t) => {
  const told = (pages: number, size: string) => ({ pdfinfo: `Pages: ${pages}\nPage    1 size: ${size} pts` })
  const drawn = async (size: string) => (await commands('pdf>cbz', {}, told(2, size)))[1]
  t.equal(await drawn('595 x 842'), 'pdftoppm -jpeg -jpegopt quality=85 -cropbox -r 150')
  t.match(await drawn('3000 x 6000'), /-r 49.15$/, 'at most 4096 pixels a side')
  const zip = (await commands('pdf>cbz', {}, told(2, '9 x 9')))[2]
  t.match(zip, '"files":["/scratch/page-1.jpg","/scratch/page-2.jpg"],"name":"page"')
  await t.rejects(commands('pdf>cbz', {}, told(1001, '9 x 9')), { code: 'RESOURCE_LIMIT', message: /1001 pages/ })
  await t.resolves(commands('pdf>cbz', {}, told(1000, '9 x 9')))
})

t.test('the heavy lane', async (t) => {
  const heavy = (from: string, size: number) => plugin.heavy({ from, to: 'epub', intent: 'convert', size, options: {} })
  t.strictSame([heavy('mobi', 2_000_000), heavy('mobi', 2_000_001), heavy('pdf', 1)], [false, true, true])
})
