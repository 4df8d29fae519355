import { readFile } from 'node:fs/promises'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { facts as told } from '../../fixtures/story.ts'
import { textOf } from '../../matrix/document/text.ts'
import { describe } from './described.ts'
import { facts, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, folder } = documents

const secrets = Object.values(told)
const says = (text: string | Buffer) => secrets.filter((secret) => text.includes(secret))

/** Returns the whole content of a file, unpacked. */
async function inside(path: string, format: string): Promise<string> {
  if (format === 'pdf')
    return (await program('qpdf', '--qdf', '--object-streams=disable', path, '-')).toString('latin1')
  const bytes = await readFile(path)
  return bytes.toString('latin1', 0, 2) === 'PK' ? (await program('unzip', '-p', path)).toString() : bytes.toString()
}

/** Documents with metadata only in their properties. */
const sources: Record<string, string> = { xlsx: (await sample('xlsx')).path, md: (await sample('md')).path }
for (const format of ['docx', 'pptx']) {
  sources[format] = `${folder}/described.${format}`
  await describe((await sample(format)).path, sources[format]!)
}
const plain = await documents.file('story.md', (await readFile(sources.md!, 'utf8')).replace(/^---[\s\S]*?---\n/, ''))
const story = await convert(plain, 'docx')
await describe(story.path, sources.docx!)

const targets: Record<string, string[]> = {
  docx: ['pdf', 'odt', 'doc', 'rtf', 'fodt', 'dotx', 'html', 'md', 'tex', 'dbk'],
  xlsx: ['pdf', 'ods', 'xls', 'fods', 'xlsm', 'html'],
  pptx: ['pdf', 'odp', 'ppt', 'ppsx', 'potx'],
  md: ['docx', 'odt', 'html', 'pdf', 'rst', 'dbk', 'pptx', 'tex'],
}

/** Which of the three values a target cannot store, or pandoc omits. */
const silent: Record<string, (keyof typeof told)[]> = {
  ...{ rst: ['author', 'subject'], dbk: ['subject'], tex: ['subject'], 'docx>html': [], pptx: [] },
  'xlsx>html': ['subject'],
}

for (const [from, list] of Object.entries(targets))
  for (const to of list)
    t.test(`${from} to ${to}`, async (t) => {
      const kept = await convert(sources[from]!, to, { metadata: 'keep' })
      const within = await inside(kept.path, to)
      // DocBook splits a name into elements.
      const found = `${JSON.stringify(await facts(kept.path))}${within}${within.replace(/(<[^>]*>|\s)+/g, ' ')}`
      const expected = Object.entries(told).filter(
        ([key]) => !(silent[`${from}>${to}`] ?? silent[to] ?? []).includes(key as keyof typeof told),
      )
      if (to !== 'doc' && to !== 'xls' && to !== 'ppt')
        for (const [key, value] of expected) t.match(found, value, `keeps the ${key}`)
      const bare = await convert(sources[from]!, to, { metadata: 'remove' })
      t.strictSame(says(JSON.stringify(await facts(bare.path))), [], 'says nothing to a reader of metadata')
      t.strictSame(says(await inside(bare.path, to)), [], 'has nothing inside')
      if (to === 'pdf') {
        const { Title, Author, Subject, Creator, Keywords, Producer } = await facts(bare.path)
        t.strictSame([Title, Author, Subject, Creator, Keywords, Producer].filter(Boolean), [])
        await t.resolves(program('qpdf', '--check', bare.path))
      }
    })

t.test('a pdf with revisions and XMP', async (t) => {
  const { path } = await convert(sources.docx!, 'pdf')
  const [title, author, subject] = ['Title', 'Author', 'Subject'].map((tag) => `-XMP-dc:${tag}=${told.title}`)
  await program(
    'exiftool',
    '-q',
    '-overwrite_original',
    '-Title=Quagga',
    '-Creator=Ocelot',
    title!,
    author!,
    subject!,
    path,
  )
  t.match(await readFile(path, 'latin1'), /%%EOF[\s\S]*%%EOF/, 'there is an earlier revision')
  const { path: bare } = await convert(path, 'pdf', { metadata: 'remove' })
  const text = await inside(bare, 'pdf')
  t.strictSame(
    [...secrets, 'Quagga', 'Ocelot', 'xmpmeta', '/Info'].filter((word) => text.includes(word)),
    [],
  )
  t.equal((await readFile(bare, 'latin1')).split('%%EOF').length, 2, 'one revision is left')
  t.equal(await textOf(bare, 'pdf'), await textOf(path, 'pdf'), 'the text is the same')
  await t.resolves(program('qpdf', '--check', bare))
})
