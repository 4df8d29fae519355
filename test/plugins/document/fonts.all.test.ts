/** Documents in many scripts: every letter is drawn, and can be extracted from the PDF. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { studio } from '../../harness/studio.ts'
import { blank, boxes, missingIn, write } from './scripts.ts'

t.setTimeout(60 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())

for (const format of ['docx', 'pptx', 'html', 'svg'])
  t.test(`${format} in every script`, async (t) => {
    const source = await withFolder(async (folder) => readFile(await write(format, folder)))
    const { path } = await own.convert(source, `${format}>pdf`)
    const text = (await program('pdftotext', '-layout', path, '-')).toString()
    t.strictSame(missingIn(text), [], 'the text comes out again')
    t.strictSame(await boxes(path), [], 'no letter is the box of a font that lacks it')
    t.strictSame(await blank(path), [], 'every word is drawn')
  })
