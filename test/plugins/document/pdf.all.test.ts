/** LibreOffice opens what is made of a PDF. */
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'
import { pdfFacts, reader } from './reading.ts'
import { report } from './report.ts'

t.test('a text and slides on as many pages', { timeout: 3_600_000 }, async (t) => {
  await using own = await studio()
  const { made } = reader(own)
  const pdf = await made(report, 'html>pdf')
  for (const [format, words] of [
    ['docx', ['Page 1 of', 'second bullet']],
    ['pptx', ['Harbour report', 'Including the ferries', 'Herring gull', 'second bullet']],
  ] as const) {
    const { path } = await made((await made(pdf.bytes, `pdf>${format}`)).bytes, `${format}>pdf`)
    t.equal((await pdfFacts(path)).Pages, (await pdfFacts(pdf.path)).Pages, format)
    const said = (await program('pdftotext', '-layout', path, '-')).toString().replace(/\s+/g, ' ')
    for (const part of words) t.ok(said.includes(part), part)
  }
})
