/** Notes and emphasis that pandoc does not read by itself. */
import t from 'tap'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, file } = documents

const markdown = async (name: string, content: string) =>
  (await convert(await file(name, content), 'md')).bytes.toString()

t.test('notes of JATS in a group, and those that nothing refers to', async (t) => {
  const body = (id: string) => `<body><p>Tide<sup><xref ref-type="fn" rid="${id}">1</xref></sup> rose.</p></body>`
  const article = (id: string) =>
    `<?xml version="1.0"?><article>${body(id)}<back><fn-group><fn id="n1"><label>1</label><p>By two metres.</p></fn></fn-group></back></article>`
  t.equal(await markdown('a.jats.xml', article('n1')), 'Tide[^1] rose.\n\n[^1]: By two metres.\n')
  t.match(await markdown('b.jats.xml', article('n2')), /Tide.*rose\.\n[\s\S]*By two metres\./)
  const written = await convert(await file('c.md', 'Tide[^1] rose.\n\n[^1]: By two metres.\n'), 'jats.xml')
  t.equal(await markdown('d.jats.xml', written.bytes.toString()), 'Tide[^1] rose.\n\n[^1]: By two metres.\n')
})

t.test('notes in a cell of a notebook', async (t) => {
  const source = ['Tide[^1] rose.\n', '\n', '[^1]: By two metres.\n']
  const cells = [{ cell_type: 'markdown', metadata: {}, source }]
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })
  t.match(await markdown('a.ipynb', notebook), 'Tide[^1] rose.\n\n[^1]: By two metres.\n')
})

t.test('emphasis by tags in MediaWiki', async (t) => {
  const wiki = 'A <b>bold <i>both</i></b> <I>leaning</I> <nowiki><b>tag</b></nowiki> <b>open\n'
  t.equal(await markdown('a.wiki', wiki), 'A **bold *both*** *leaning* \\<b\\>tag\\</b\\> open\n')
  for (const [text, made] of [
    ['<b>Note: </b>text', '**Note:** text'],
    ['a<i></i> <strong> </strong>b', 'a b'],
    ["l'<i>Iliade</i>'s", "l'*Iliade*'s"],
    ["<STRONG>'a'</STRONG> <em>b</em>", "**'a'** *b*"],
    ['<source lang="html"><b>x</b></source>', '``` html\n<b>x</b>\n```'],
    ['<nowiki/><b>x</b>', '**x**'],
    ['* [[Page|<b>x</b>]]: <b>bold <i>both</i> </b>y', '-   [**x**](Page "wikilink"): **bold *both*** y'],
  ] as const)
    t.equal(await markdown('b.wiki', `${text}\n`), `${made}\n`, text)
})
