import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { brokenRules } from '../../fixtures/pdfa.ts'
import { magick, program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { facts, studio } from './studio.ts'

const machine = await studio()
t.teardown(() => machine[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

/** Makes odd PDF files, by name. */
const odd = await withFolder(async (folder) => {
  const maker = fileURLToPath(new URL('../../fixtures/odd-pdf.py', import.meta.url))
  await program('/usr/bin/python3', '-E', '-s', '-B', maker, folder)
  const files: Record<string, string> = {}
  for (const name of await readdir(folder))
    files[basename(name, '.pdf')] = await machine.file(name, await readFile(join(folder, name)))
  return files
})

const text = async (path: string) => (await program('pdftotext', '-layout', path, '-')).toString().trim()

const archive = async (t: Test, source: string, options = {}) => {
  const { path } = await machine.convert(source, 'pdfa.pdf', options)
  t.strictSame(await brokenRules(path), [])
  await program('qpdf', '--check', path)
  return path
}

t.test('a PDF keeps text, links, outline, comments and properties, and loses what PDF/A forbids', async (t) => {
  t.ok((await brokenRules(odd.forbidden!)).length > 15, 'the checker sees what is wrong')
  const path = await archive(t, odd.forbidden!)
  t.match(await text(path), /Hello archive.*Free words/s, 'also the words of a comment')
  t.match(await facts(path), { Title: 'Ünïcode & <title>', Author: 'Ann; Bob', Part: 2, Conformance: 'B' })
  const all = (await program('qpdf', '--json', '--json-key=qpdf', path)).toString()
  for (const kept of ['https://example.org/', 'First chapter', '/Highlight', '/FreeText', 'noted']) t.match(all, kept)
  for (const gone of ['app.alert', 'calc.exe', 'secret.txt', '/FileAttachment', '/Square']) t.notMatch(all, gone)
  const bare = await archive(t, odd.forbidden!, { metadata: 'remove' })
  t.notMatch(JSON.stringify(await facts(bare)), /nïcode|Ann; Bob|Ghostscript|pikepdf/)
})

t.test('fields become part of the page', async (t) => {
  t.match(await text(await archive(t, odd.form!)), /Form\s+Filled in/)
})

t.test('other odd documents keep their text', async (t) => {
  t.equal(await text(await archive(t, odd.owner!)), 'Behind a password')
  t.equal(await machine.code(odd.user!, 'pdfa.pdf'), 'ENCRYPTED_INPUT')
  t.equal(await text(await archive(t, odd.layers!)), 'In a form')
  t.match(await text(await archive(t, odd.namesakes!)), /Named\s+like a file\s+like another/)
  t.equal(await text(await archive(t, odd.cut!)), 'Cut off at its end')
  await archive(t, odd.glyphs!)
  const junk = await machine.file('junk.pdf', '%PDF-1.4\n1 0 obj\nnull\n%%EOF\n')
  t.equal(await machine.code(junk, 'pdfa.pdf'), 'CONVERSION_ERROR')
})

t.test('pages look as before, and pictures of inks keep their bytes', async (t) => {
  const jpeg = await withFolder(async (folder) => {
    await magick('rose:', '-resize', '400%', '-colorspace', 'CMYK', '-quality', '90', `${folder}/inks.jpg`)
    return readFile(`${folder}/inks.jpg`)
  })
  const inks = await archive(t, await machine.file('inks.jpg', jpeg))
  t.ok((await readFile(inks)).includes(jpeg.subarray(-2000)), 'the JPEG is not encoded again')
  await withFolder(async (folder) => {
    for (const name of ['glyphs', 'layers', 'forbidden'] as const) {
      const pages = [odd[name]!, await archive(t, odd[name]!)]
      for (const [index, page] of pages.entries())
        await program(
          'pdftoppm',
          '-r',
          72,
          '-x',
          0,
          '-y',
          210,
          '-H',
          190,
          '-png',
          '-singlefile',
          page,
          `${folder}/${index}`,
        )
      const unlike = await program(
        'compare-im6.q16',
        '-metric',
        'RMSE',
        `${folder}/0.png`,
        `${folder}/1.png`,
        'null:',
      ).then(
        () => 'same',
        (error: { stderr: Buffer }) => error.stderr.toString(),
      )
      t.ok(unlike === 'same' || Number(/\(([\d.e-]+)\)/.exec(unlike)?.[1]) < 0.02, `${name}: ${unlike}`)
    }
  })
})

t.test('texts, sheets and pages become PDF/A with their title, language and fonts', async (t) => {
  const page = await machine.file(
    'page.html',
    '<html lang="de"><title>Grüße</title><h1>Öl</h1><p><a href="https://a.example/">x</a>',
  )
  const printed = await archive(t, page)
  t.match(await facts(printed), { Title: 'Grüße' })
  t.match(await text(printed), 'Öl')
  const story = await archive(
    t,
    await machine.file('story.rtf', '{\\rtf1 {\\info{\\title Ledgers}{\\author Ann}}Plain words\\par}'),
  )
  t.match(await facts(story), { Title: 'Ledgers', Author: 'Ann' })
  const sheet = await archive(t, await machine.file('sheet.csv', 'name,amount\nÅsa,12\n'))
  t.match(await text(sheet), /Åsa\s+12/)
})
