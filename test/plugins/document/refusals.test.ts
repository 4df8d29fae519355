/** Locked, damaged and oversized documents, and their error codes. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { stored } from '../../fixtures/files.ts'
import { pdfOf } from '../../fixtures/pdf.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { zipped } from '../../fixtures/zip.ts'
import { studio } from '../../harness/studio.ts'
import { textOf } from '../../matrix/document/text.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { code } = reader(own)
const bytes = async (format: string) => readFile((await sample(format, 'document')).path)

t.test('documents with a password', async (t) => {
  for (const pair of ['odt>pdf'])
    t.equal(await code(stored(`encrypted.${pair.split('>')[0]}`), pair), 'ENCRYPTED_INPUT', pair)
  // Since 2007, Office stores encrypted documents in a container that hides the format (MS-OFFCRYPTO §2.3.4).
  for (const pair of ['docx>pdf', 'docx>md'])
    t.equal(await code(stored('encrypted.docx'), pair), 'ENCRYPTED_INPUT', pair)
  const pdf = `${own.folder}/locked.pdf`
  await program('qpdf', '--encrypt', 'secret', 'secret', '256', '--', (await sample('pdf', 'document')).path, pdf)
  for (const to of ['txt', 'docx', 'pdf', 'pdfa.pdf'])
    t.equal(await code(await readFile(pdf), `pdf>${to}`), 'ENCRYPTED_INPUT', `pdf to ${to}`)
  t.equal(await code(await readFile(pdf), 'pdf>pdf', { metadata: 'remove' }), 'ENCRYPTED_INPUT')
})

t.test('a locked book', async (t) => {
  const members = await readMembers(await bytes('epub'))
  const algorithm = '<EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>'
  const book = await zipped({
    ...Object.fromEntries(members.map(({ name, content }) => [name, content])),
    'META-INF/encryption.xml': `<encryption><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">${algorithm}</EncryptedData></encryption>`,
  })
  for (const to of ['pdf', 'docx']) t.equal(await code(book, `epub>${to}`), 'ENCRYPTED_INPUT', to)
})

t.test('truncated files, files of another format and of later versions', async (t) => {
  const later = await bytes('vsd')
  later[later.indexOf('Visio (TM) Drawing') + 0x1a] = 0x2d
  const docx = await bytes('docx')
  for (const [pair, source] of [
    ['docx>pdf', docx.subarray(0, docx.length / 2)],
    ['pptx>pdf', 'This is nothing of that kind. '.repeat(200)],
    ['vsd>pdf', later],
    ['pdf>txt', 'no pdf'],
    ['pdf>pdfa.pdf', '%PDF-1.4\n1 0 obj\nnull\n%%EOF\n'],
    ['json>yaml', '{"a":'],
    ['xml>json', '<a>'.repeat(9999)],
    ['docx>docx', docx.subarray(0, docx.length / 2)],
  ] as const)
    t.equal(await code(source, pair), 'CONVERSION_ERROR', pair)
})

t.test('a PDF in which nothing is seen', async (t) => {
  const blank = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
  ])
  for (const [to, message] of [
    ['txt', /shows no text/],
    ['docx', /neither text nor pictures/],
  ] as const)
    t.match(await own.failure(blank, `pdf>${to}`), { code: 'CONVERSION_ERROR', message }, to)
})

t.test('a page shows nothing of the machine, and its scripts do not run', async (t) => {
  const frames = ['/etc/passwd', 'localhost/etc/passwd', '/etc/', '/usr/lib/os-release', '/in/..%2fetc/passwd']
  const inside = frames.map((path) => `<iframe src="file://${path}" width="700" height="200"></iframe>`)
  const script = '<script>document.getElementById("a").textContent = "moved"</script>'
  const page = `<html><body><p id="a">still</p>${inside.join('')}${script}</body></html>`
  await using sandboxed = await studio()
  const text = await textOf((await reader(sandboxed).made(page, 'html>pdf')).path, 'pdf')
  t.match(text, 'still')
  t.notMatch(text, /nologin|Index of|PRETTY_NAME/)
})
