import { chmod, readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { compound } from '../../fixtures/compound.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { zip } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { lock } from './described.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, code, file, folder } = documents

t.test('documents with a password', async (t) => {
  const kinds = {
    odt: { odt: 'writer8', doc: 'MS Word 97' },
    ods: { ods: 'calc8', xls: 'MS Excel 97' },
    odp: { odp: 'impress8' },
  }
  const cases = Object.entries(kinds).flatMap(([from, filters]) =>
    Object.entries(filters).map(([format, filter]) => [from, format, filter] as const),
  )
  for (const [from, format, filter] of cases) {
    const locked = `${folder}/locked.${format}`
    lock((await sample(from)).path, locked, filter)
    await chmod(locked, 0o644)
    const targets = { odt: ['pdf', 'rtf', 'txt'], ods: ['pdf', 'csv', 'html'], odp: ['pdf', 'txt', 'docx'] }
    for (const to of targets[from as keyof typeof targets])
      t.equal(await code(locked, to), 'ENCRYPTED_INPUT', `${format} to ${to}`)
  }
  // Since 2007, Office stores encrypted documents in a container that hides the format (MS-OFFCRYPTO §2.3.4).
  const version = Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0])
  for (const format of ['docx', 'xlsx', 'pptx', 'xlsm', 'docm']) {
    const locked = `${folder}/locked.${format}`
    await compound(locked, { EncryptedPackage: Buffer.alloc(8192, 7), EncryptionInfo: version })
    await chmod(locked, 0o644)
    t.equal(await code(locked, 'pdf'), 'ENCRYPTED_INPUT', format)
    if (format === 'docx') t.equal(await code(locked, 'md'), 'ENCRYPTED_INPUT', `${format} as a markup`)
  }
  const locked = `${folder}/locked.pdf`
  await program('qpdf', '--encrypt', 'secret', 'secret', '256', '--', (await sample('pdf', 'document')).path, locked)
  for (const to of ['txt', 'docx', 'html']) t.equal(await code(locked, to), 'ENCRYPTED_INPUT', `pdf to ${to}`)
})

t.test('a locked book', async (t) => {
  const members = readMembers(await readFile((await sample('epub', 'document')).path))
  const algorithm = '<EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>'
  const locked = `${folder}/locked.epub`
  await zip(locked, {
    ...Object.fromEntries(members.map(({ name, content }) => [name, content])),
    'META-INF/encryption.xml': `<encryption><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">${algorithm}</EncryptedData></encryption>`,
  })
  await chmod(locked, 0o644)
  for (const to of ['pdf', 'docx', 'txt']) t.equal(await code(locked, to), 'ENCRYPTED_INPUT', to)
})

t.test('truncated files, and files of another format', async (t) => {
  for (const from of ['docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp', 'doc', 'xls', 'vsd', 'pub']) {
    const whole = await readFile((await sample(from)).path)
    const cut = await file(`cut.${from}`, whole.subarray(0, Math.floor(whole.length / 2)))
    t.equal(await code(cut, 'pdf'), 'CONVERSION_ERROR', `half of a ${from}`)
    const junk = await file(`junk.${from}`, 'This is nothing of that kind. '.repeat(200))
    t.equal(await code(junk, 'pdf'), 'CONVERSION_ERROR', `a text as ${from}`)
  }
  // A later version than any that exists, in formats that state theirs.
  for (const [from, mark, at] of [
    ['vsd', 'Visio (TM) Drawing', 0x1a],
    ['pub', '\xe8\xac\x22', 2],
  ] as const) {
    const bytes = await readFile((await sample(from)).path)
    bytes[bytes.indexOf(Buffer.from(mark, 'latin1')) + at] = 0x2d
    for (const to of ['pdf', 'txt'])
      t.equal(await code(await file(`later.${from}`, bytes), to), 'CONVERSION_ERROR', `a later ${from} to ${to}`)
  }
  t.equal(await code(await file('junk.pdf', 'no pdf'), 'txt'), 'CONVERSION_ERROR')
  t.equal(await code(await file('junk.json', '{"a":'), 'yaml'), 'CONVERSION_ERROR')
  t.equal(await code(await file('deep.xml', '<a>'.repeat(9999)), 'json'), 'CONVERSION_ERROR')
})

t.test('nothing outside the file is read', async (t) => {
  const canary = 'Xylocarp Vesuvian'
  const secret = await file('canary.txt', canary)
  await writeFile(secret, canary)
  const sources = {
    'a.html': `<html><body><p>text</p><iframe src="file://${secret}"></iframe><object data="file://${secret}"></object><img src="file://${secret}"></body></html>`,
    'b.md': `text ![x](${secret})\n\n<iframe src="${secret}"></iframe>\n`,
    'c.rst': `text\n\n.. include:: ${secret}\n\n.. csv-table:: x\n   :file: ${secret}\n`,
    'd.org': `text\n\n#+INCLUDE: "${secret}"\n`,
    'e.tex': `\\documentclass{article}\\begin{document}text \\input{${secret}} \\include{${secret}}\\end{document}`,
    'f.adoc': `text\n\ninclude::${secret}[]\n`,
    'g.dbk': `<!DOCTYPE article [<!ENTITY x SYSTEM "file://${secret}">]><article xmlns="http://docbook.org/ns/docbook"><para>text &x;</para></article>`,
  }
  for (const [name, content] of Object.entries(sources)) {
    const path = await file(name, content)
    for (const to of ['pdf', 'docx']) {
      const made = await convert(path, to).catch(() => undefined)
      if (made) t.notMatch(await textOf(made.path, to), canary.split(' ')[0]!, `${name} to ${to}`)
    }
  }
})

t.test('pages in a page show nothing of the machine', async (t) => {
  const frames = ['/etc/passwd', 'localhost/etc/passwd', '/etc/', '/usr/lib/os-release', '/in/..%2fetc/passwd']
  const inside = frames.map((path) => `<iframe src="file://${path}" width="700" height="200"></iframe>`)
  const page = await file('frames.html', `<html><body><p>still</p>${inside.join('')}</body></html>`)
  const text = await textOf((await convert(page, 'pdf')).path, 'pdf')
  t.match(text, 'still')
  t.notMatch(text, /nologin|Index of|PRETTY_NAME/)
})

t.test('scripts in a page do not run', async (t) => {
  const page =
    '<html><body><p id="a">still</p><script>document.getElementById("a").textContent = "moved"</script></body></html>'
  const { path } = await convert(await file('script.html', page), 'pdf')
  t.match(await textOf(path, 'pdf'), 'still')
})

t.test('many nested aliases end in time', async (t) => {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (let index = 1; index < 12; index++) {
    const [before, name] = [index - 1, index].map((at) => String.fromCharCode(97 + at))
    lines.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join()}]`)
  }
  t.match(await code(await file('laughs.yaml', lines.join('\n')), 'json'), /CONVERSION_ERROR|RESOURCE_LIMIT/)
})
