/** PDF/A: what a PDF keeps, and what is taken out because PDF/A forbids it. */
import t from 'tap'
import { brokenRules } from '../../fixtures/pdfa.ts'
import { program } from '../../fixtures/program.ts'
import { bare } from '../bare.ts'
import { oddPdfs } from './odd-pdfs.ts'
import { facts } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const odd = await oddPdfs(own)
const text = async (path: string) => (await program('pdftotext', '-layout', path, '-')).toString()

t.test('text, links, outline, comments and properties stay, and actions go', async (t) => {
  t.ok((await brokenRules(odd.forbidden!)).length > 15, 'the checker sees what is wrong')
  const { path } = await own.convert(odd.forbidden!, 'pdf>pdfa.pdf')
  t.strictSame(await brokenRules(path), [])
  await t.resolves(program('qpdf', '--check', path))
  t.match(await text(path), /Hello archive.*Free words/s, 'also the words of a comment')
  t.match(await facts(path), { Title: 'Ünïcode & <title>', Author: 'Ann; Bob', Part: 2, Conformance: 'B' })
  const all = (await program('qpdf', '--json', '--json-key=qpdf', path)).toString()
  for (const kept of ['https://example.org/', 'First chapter', '/Highlight', '/FreeText', 'noted']) t.match(all, kept)
  for (const gone of ['app.alert', 'calc.exe', 'secret.txt', '/FileAttachment', '/Square']) t.notMatch(all, gone)
  const bare = await own.convert(odd.forbidden!, 'pdf>pdfa.pdf', { metadata: 'remove' })
  t.notMatch(JSON.stringify(await facts(bare.path)), /nïcode|Ann; Bob|Ghostscript|pikepdf/)
})

t.test('fields become part of the page, and glyphs that are missing are drawn', async (t) => {
  for (const [name, shown] of [
    ['form', /Form\s+Filled in/],
    ['glyphs', /./],
    ['owner', /Behind a password/],
    ['namesakes', /Named\s+like a file\s+like another/],
    ['cut', /Cut off at its end/],
  ] as const) {
    const { path } = await own.convert(odd[name]!, 'pdf>pdfa.pdf')
    t.strictSame(await brokenRules(path), [], name)
    t.match(await text(path), shown, name)
  }
  t.equal((await own.failure(odd.user!, 'pdf>pdfa.pdf')).code, 'ENCRYPTED_INPUT')
})

t.test('an invoice keeps its XML in PDF/A, and nothing else', async (t) => {
  const { path } = await own.convert(odd.invoice!, 'pdf>pdfa.pdf')
  t.match((await program('pdfdetach', '-list', path)).toString(), /^1 embedded files\n1: factur-x\.xml/)
  const xmp = (await program('pdfinfo', '-meta', path)).toString()
  t.match(xmp, '<pdfaid:part>3</pdfaid:part>')
  t.match(xmp, '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>')
  t.strictSame(await brokenRules(path), [])
})
