/** What Word documents mark beside their text: headings by outline level, and tracked changes. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { sample } from '../../fixtures/samples.ts'
import { zip } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, folder } = documents

/** The sample with additional paragraphs and styles. */
async function written(name: string, paragraphs: string, styles = ''): Promise<string> {
  const added: Readonly<Record<string, readonly [mark: string, more: string]>> = {
    'word/document.xml': ['<w:body>', `<w:body>${paragraphs}`],
    'word/styles.xml': ['</w:styles>', `${styles}</w:styles>`],
  }
  const members = readMembers(await readFile((await sample('docx')).path)).map(({ name, content }) => [
    name,
    name in added ? content.toString().replace(...added[name]!) : content,
  ])
  await zip(`${folder}/${name}`, Object.fromEntries(members))
  return `${folder}/${name}`
}

const said = async (path: string, to: string) => (await textOf((await convert(path, to)).path, to)).replace(/\s+/g, ' ')
const paragraph = (properties: string, text: string) =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const style = (id: string, content: string) =>
  `<w:style w:type="paragraph" w:customStyle="1" w:styleId="${id}"><w:name w:val="${id} of ours"/>${content}</w:style>`

t.test('styles and paragraphs with an outline level are headings', async (t) => {
  const level = (number: number) => `<w:outlineLvl w:val="${number}"/>`
  const styles = [
    style('Chapter', `<w:pPr>${level(0)}</w:pPr>`),
    style('Part', '<w:basedOn w:val="Chapter"/>'),
    style('Body', `<w:pPr>${level(9)}</w:pPr>`),
  ].join('')
  const before = `<w:pPrChange w:id="9" w:author="A"><w:pPr>${level(1)}</w:pPr></w:pPrChange>`
  const source = await written(
    'levels.docx',
    [
      paragraph('<w:pStyle w:val="Chapter"/>', 'Seafaring'),
      paragraph('<w:pStyle w:val="Part"/>', 'Rigging'),
      paragraph(`<w:pStyle w:val="Body"/>${level(1)}`, 'Ballast'),
      paragraph('<w:pStyle w:val="Body"/>', 'Plain words'),
      paragraph(before, 'Demoted words'),
    ].join(''),
    styles,
  )
  const html = (await convert(source, 'html')).bytes.toString()
  for (const heading of ['h1[^>]*>Seafaring', 'h1[^>]*>Rigging', 'h2[^>]*>Ballast', 'p>Plain words', 'p>Demoted words'])
    t.match(html, new RegExp(`<${heading}<`), heading)
  t.match((await convert(source, 'md')).bytes.toString(), /^# Seafaring\n[\s\S]*^## Ballast\n/m)
})

t.test('targets without tracked changes get the new text only', async (t) => {
  const run = (text: string, kind = 't') => `<w:r><w:${kind} xml:space="preserve">${text}</w:${kind}></w:r>`
  const mark = (kind: 'ins' | 'del', content = '') =>
    `<w:${kind} w:id="7" w:author="A" w:date="2020-01-01T00:00:00Z"${content ? `>${content}</w:${kind}>` : '/>'}`
  const gone = (text: string) => mark('del', run(text, 'delText'))
  const cell = (content: string) => `<w:tc><w:tcPr/><w:p>${content}</w:p></w:tc>`
  const source = await written(
    'changes.docx',
    [
      `<w:p>${run('An ')}${mark('ins', run('easy'))}${gone('difficult')}${run(' start. ')}</w:p>`,
      `<w:p><w:pPr><w:rPr>${mark('del')}</w:rPr></w:pPr>${run('Joined ')}${gone('scuttled')}</w:p>`,
      `<w:p>${gone('capsized')}${run('again.')}</w:p>`,
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid><w:tr>${cell(`${run('Calm')}${gone('stormy')}`)}</w:tr></w:tbl>`,
    ].join(''),
  )
  for (const between of ['odt', 'doc', 'rtf']) {
    const { path } = await convert(source, between)
    for (const to of ['txt', 'html']) {
      const text = await said(path, to)
      t.match(text, /An easy start\. Joined again\. Calm/, `${between} to ${to}`)
      t.notMatch(text, /difficult|scuttled|capsized|stormy/, `${between} to ${to}`)
    }
  }
})
