/**
 * Lightweight markups: tables keep every cell, pictures are inside, and notes and emphasis are found that pandoc does
 * not read.
 */
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw } = reader(own)

const rows = [
  ['Name', 'a|b', 'Größe 灯台'],
  ['one\ntwo', '', 'שלום'],
  ['', '=1+1', 'c || d'],
]
const separated = rows.map((row) => `${row.map((cell) => `"${cell}"`).join(',')}\n`).join('')

/** The cells of pipe tables (GitHub Flavored Markdown, §4.10), with line breaks as newlines. */
const piped = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\|(?![-|:]+$)/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('<br>', '\n').replace(/\\(.)/g, '$1')),
    )

t.test('pipe tables out of tables, records, texts and pages', async (t) => {
  const sources: [string, string | Buffer][] = [['csv', separated]]
  for (const to of ['json', 'docx', 'html']) sources.push([to, (await made(separated, `csv>${to}`)).bytes])
  for (const [from, source] of sources) {
    const text = await raw(source, `${from}>md`)
    t.strictSame(piped(text), rows, from)
    t.notMatch(text, /generator|^---\n---$/im)
  }
})

const page = `<!doctype html><html><head><title>T</title><meta name="viewport" content="width=device-width"></head><body>
<table><tr><td colspan="2">wide</td><td rowspan="2">tall</td></tr><tr><td>left</td><td>right</td></tr></table>
<table><tr><td><p>before</p><ul><li>first|item</li><li>second</li></ul><pre>code

after</pre></td><td><table><tr><td>inner</td><td>other</td></tr></table></td></tr></table>
<h2>Afterwards</h2><table><tr><td>framed <b>words</b></td></tr></table></body></html>`

t.test('tables with merged cells and blocks become HTML in Markdown, which is read again', async (t) => {
  const text = await raw(page, 'html>md')
  t.notMatch(text, /\[TABLE\]|viewport/)
  t.match(text, /<td colspan="2">wide<\/td>\s*<td rowspan="2">tall<\/td>/)
  for (const said of ['<li>first|item</li>', '<td>inner</td>', '\n## Afterwards\n', '\nframed **words**\n'])
    t.match(text, said)
  t.notMatch(/<table>[\s\S]*?<\/table>/.exec(text)![0], '\n\n', 'an empty line would end the table')
  const { path } = await made(text, 'md>docx')
  const html = (await program('pandoc', '-f', 'docx', '-t', 'html', '--wrap=none', path)).toString()
  for (const said of [/<td colspan="2">wide<\/td>\s*<td rowspan="2">tall/, /<li>second<\/li>/, /<td>inner<\/td>/])
    t.match(html, said)
  t.match(await raw('| a | b |\n|---|---|\n| one<br>two | three |\n', 'md>txt'), /one +three\s+two/)
})

t.test('pictures are in the Markdown, and those on the web are linked', async (t) => {
  const create = { width: 9, height: 7, channels: 3, background: '#a03060' } as const
  const picture = (await sharp({ create }).png().toBuffer()).toString('base64')
  const html = `<!doctype html><p>A <img alt="dot" src="data:image/png;base64,${picture}"> and
<img alt="far" src="https://example.org/far.png"> and <img alt="missing" src="missing.png">.</p>`
  for (const by of ['html', 'docx']) {
    const said = await raw(by === 'html' ? html : (await made(html, `html>${by}`)).bytes, `${by}>md`)
    const [, data = ''] = /!\[[^\]]*\]\(data:image\/png;base64,([A-Za-z0-9+/=]+)/.exec(said) ?? []
    const { data: pixels, info } = await sharp(Buffer.from(data, 'base64')).raw().toBuffer({ resolveWithObject: true })
    t.strictSame([info.width, info.height, ...pixels.subarray(0, 3)], [9, 7, 0xa0, 0x30, 0x60], by)
    if (by === 'html') t.match(said, '![far](https://example.org/far.png) and missing.')
  }
})

t.test('notes of JATS in a group, of notebooks, and notes that nothing refers to', async (t) => {
  const noted = 'Tide[^1] rose.\n\n[^1]: By two metres.\n'
  const article = (id: string) =>
    `<?xml version="1.0"?><article><body><p>Tide<sup><xref ref-type="fn" rid="${id}">1</xref></sup> rose.</p></body><back><fn-group><fn id="n1"><label>1</label><p>By two metres.</p></fn></fn-group></back></article>`
  t.equal(await raw(article('n1'), 'jats.xml>md'), noted)
  t.match(await raw(article('n2'), 'jats.xml>md'), /Tide.*rose\.\n[\s\S]*By two metres\./)
  t.equal(await raw((await made(noted, 'md>jats.xml')).bytes, 'jats.xml>md'), noted)
  const cells = [{ cell_type: 'markdown', metadata: {}, source: noted.split(/(?<=\n)/) }]
  t.match(await raw(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }), 'ipynb>md'), noted)
})

t.test('emphasis by tags in MediaWiki', async (t) => {
  for (const [text, wanted] of [
    [
      'A <b>bold <i>both</i></b> <I>leaning</I> <nowiki><b>tag</b></nowiki> <b>open',
      'A **bold *both*** *leaning* \\<b\\>tag\\</b\\> open',
    ],
    ['<b>Note: </b>text', '**Note:** text'],
    ['a<i></i> <strong> </strong>b', 'a b'],
    ["l'<i>Iliade</i>'s", "l'*Iliade*'s"],
    ["<STRONG>'a'</STRONG> <em>b</em>", "**'a'** *b*"],
    ['<source lang="html"><b>x</b></source>', '``` html\n<b>x</b>\n```'],
    ['* [[Page|<b>x</b>]]: <b>bold <i>both</i> </b>y', '-   [**x**](Page "wikilink"): **bold *both*** y'],
  ] as const)
    t.equal(await raw(`${text}\n`, 'wiki>md'), `${wanted}\n`, text)
})

t.test('LaTeX keeps the text of commands that pandoc does not know', async (t) => {
  const source = String.raw`\documentclass{curriculum}
\begin{document}
\settings{some colour}{width=two words}
\entry{2017 -- now}{Keeper of the \emph{lighthouse}}{}{Harbour Office}
\entry{2012}{Pilot on the ferry}{}{}
\begin{duties}[wide]
Lamps, see \quoted[p.~3]{the old log}.
\end{duties}
\section{Words \shout{in headings too}}\label{sec}
\index{not this one}\textcolor{red}{Known} commands and references (\ref{sec}) stay.
\end{document}`
  t.equal(
    (await raw(source, 'tex>md')).trim(),
    `2017 – now Keeper of the *lighthouse* Harbour Office

2012 Pilot on the ferry

Lamps, see the old log.

# Words in headings too

Known commands and references ([1](#sec)) stay.`,
  )
})

t.test('reStructuredText keeps what stands above its text', async (t) => {
  const source = `Harbour
=======

:Author: Ann Keeper
:Contact: office@example.org
:Version: 7
:Copyright: Nobody *at all*.
:Tide: high
:Abstract: About ships.

Words.
`
  const text = await raw(source, 'rst>txt')
  for (const line of [
    'Contact: office@example.org',
    'Version: 7',
    'Copyright: Nobody at all.',
    'Tide: high',
    'Abstract: About',
  ])
    t.match(text, line)
  const page = await raw(source, 'rst>html')
  t.match(page, /<strong>Copyright:<\/strong> Nobody <em>at all<\/em>\./)
  t.equal(page.match(/About ships/g)?.length, 1)
  t.notMatch(await raw(source, 'rst>txt', { metadata: 'remove' }), 'office@example.org')
})
