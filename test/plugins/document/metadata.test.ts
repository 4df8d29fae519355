/**
 * Metadata that is removed leaves nothing behind. That it is kept otherwise is proved by test/depth for title and
 * author.
 */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { facts as told } from '../../fixtures/story.ts'
import { zipped } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'
import { facts } from './reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made } = reader(own)

const secrets = Object.values(told)
const schemas = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties'
const core = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cp:coreProperties xmlns:cp="${schemas}" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${told.title}</dc:title><dc:subject>${told.subject}</dc:subject><dc:creator>${told.author}</dc:creator><cp:lastModifiedBy>${told.author}</cp:lastModifiedBy></cp:coreProperties>`

/** Gives an Office package properties that do not occur in its text. */
async function described(source: string | Buffer): Promise<Buffer> {
  const members = await readMembers(typeof source === 'string' ? await readFile(source) : source)
  const named = members.map(({ name, content }) => [name, name === 'docProps/core.xml' ? core : content])
  return zipped(Object.fromEntries(named))
}

/** The whole content of a file, unpacked. */
async function inside(path: string, format: string): Promise<string> {
  if (format === 'pdf')
    return (await program('qpdf', '--qdf', '--object-streams=disable', path, '-')).toString('latin1')
  const bytes = await readFile(path)
  return bytes.toString('latin1', 0, 2) === 'PK' ? (await program('unzip', '-p', path)).toString() : bytes.toString()
}

const md = await readFile((await sample('md')).path)
const untitled = md.toString().replace(/^---[\s\S]*?---\n/, '')
const docx = await described((await made(untitled, 'md>docx')).bytes)
const sources: Readonly<Record<string, Buffer>> = {
  md,
  docx,
  pptx: await described((await sample('pptx')).path),
}

for (const pair of ['docx>odt', 'docx>md', 'docx>docx', 'pptx>ppsx', 'md>docx', 'md>html'])
  t.test(`${pair} says nothing about its source`, async (t) => {
    const [from, to] = pair.split('>') as [string, string]
    const { path } = await made(sources[from]!, pair, { metadata: 'remove' })
    const found = await inside(path, to)
    t.strictSame(
      secrets.filter((secret) => found.includes(secret)),
      [],
    )
  })

t.test('the subject is kept otherwise', async (t) => {
  for (const [pair, field] of [
    ['docx>odt', 'Subject'],
    ['docx>md', 'subject: '],
    ['md>docx', 'Subject'],
  ] as const) {
    const { path, bytes } = await made(sources[pair.split('>')[0]!]!, pair)
    if (pair === 'docx>md') t.match(bytes.toString(), field + told.subject)
    else t.match((await facts(path))[field], told.subject, pair)
  }
})

t.test('a pdf with revisions and XMP', async (t) => {
  const { path } = await made(docx, 'docx>pdf')
  const tags = ['Title', 'Author', 'Subject'].map((tag) => `-XMP-dc:${tag}=${told.title}`)
  await program('exiftool', '-q', '-overwrite_original', '-Title=Quagga', '-Creator=Ocelot', ...tags, path)
  t.match(await readFile(path, 'latin1'), /%%EOF[\s\S]*%%EOF/, 'there is an earlier revision')
  const { path: bare, bytes } = await own.convert(path, 'pdf>pdf', { metadata: 'remove' })
  const text = await inside(bare, 'pdf')
  t.strictSame(
    [...secrets, 'Quagga', 'Ocelot', 'xmpmeta', '/Info'].filter((word) => text.includes(word)),
    [],
  )
  t.equal(bytes.toString('latin1').split('%%EOF').length, 2, 'one revision is left')
  t.equal(await textOf(bare, 'pdf'), await textOf(path, 'pdf'), 'the text is the same')
  await t.resolves(program('qpdf', '--check', bare))
})
