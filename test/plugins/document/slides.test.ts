/** Slides on paper as PowerPoint draws them: bullets, letters, hidden slides. */
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { program } from '../../fixtures/program.ts'
import { zipped } from '../../fixtures/zip.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(10 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())

const space = ['office', 'style', 'text', 'presentation'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
)
const font = 'fo:font-family="Arial" style:font-family-asian="Noto Sans CJK KR"'
const size = 'fo:font-size="40pt" style:font-size-asian="40pt"'

/** Slides in flat OpenDocument with a list of these lines. */
function deck(lines: readonly string[], visibility = 'visible'): Buffer {
  const items = lines.map((line) => `<text:list-item><text:p text:style-name="P1">${line}</text:p></text:list-item>`)
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<office:document ${space.join(' ')} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:automatic-styles>
<style:style style:name="D1" style:family="drawing-page"><style:drawing-page-properties
 presentation:visibility="${visibility}"/></style:style>
<style:style style:name="P1" style:family="paragraph"><style:text-properties ${font} ${size}/></style:style>
<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1" text:bullet-char="•">
<style:list-level-properties text:space-before="0cm" text:min-label-width="1cm"/></text:list-level-style-bullet>
</text:list-style></office:automatic-styles><office:body><office:presentation>
<draw:page draw:style-name="D1"><draw:frame svg:width="24cm" svg:height="9cm" svg:x="2cm" svg:y="2cm"><draw:text-box>
<text:list text:style-name="L1">${items.join('')}</text:list></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document>`)
}

t.test('a presentation whose slides are all hidden is shown', async (t) => {
  const { path } = await own.convert(deck(['Harbour at night'], 'hidden'), 'fodp>pdf')
  t.match((await program('pdftotext', path, '-')).toString(), 'Harbour at night')
  t.match((await own.convert(deck(['Harbour'], 'hidden'), 'fodp>png')).bytes.length, Number)
})

t.test('bullets without a font, and Korean beside Latin letters', async (t) => {
  const source = await own.convert(deck(['가나다abc가나다', '가나다가나다']), 'fodp>pptx')
  const members = await readMembers(source.bytes)
  const named = members.map(({ name, content }) => {
    const slide = /slides\/slide\d+\.xml$/.test(name)
    return [name, slide ? content.toString().replace(/<a:buFont [^>]*\/>/g, '') : content] as const
  })
  const slide = `${named.find(([name]) => name.endsWith('slides/slide1.xml'))?.[1]}`
  t.match(slide, /<a:buChar char="•"\/>/)
  const { path } = await own.convert(await zipped(Object.fromEntries(named)), 'pptx>pdf')
  const trace = (await program('mutool', 'trace', path)).toString()
  const letters: { font: string; letter: string; x: number }[] = []
  let font = ''
  for (const [, span, letter, x] of trace.matchAll(/<span font="([^"]*)"|<g unicode="([^"]*)" [^>]*x="([\d.]+)"/g)) {
    if (span !== undefined) font = span
    else letters.push({ font, letter: letter!, x: Number(x) })
  }
  const bullets = letters.filter(({ letter }) => letter === '•')
  t.equal(bullets.length, 2)
  for (const bullet of bullets) t.match(bullet.font, /LiberationSans/, 'the font of the text')
  const at = (letter: string) => letters.find((one) => one.letter === letter)!.x
  const step = at('나') - at('가')
  t.ok(Math.abs(at('a') - at('다') - step) < 0.02 * step, `no more space before Latin: ${at('a') - at('다')}, ${step}`)
})
