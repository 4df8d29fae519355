/**
 * Rewrites the package of an office document: `write.ts INPUT OUTPUT [--bare] [--small] [--show] [--flow]
 * [--untitled]`. Prints `metafiles` if it has pictures in Windows formats.
 */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { ZipFile } from 'yazl'
import { report } from '../refusal/refusal.ts'
import { attributesOf } from '../text/markup.ts'
import { charted } from './charts.ts'
import { bareParts } from './facts.ts'
import { anchored, captioned, legibleRuns, longFields, transitional } from './legible.ts'
import { lifted } from './lifted.ts'
import { locked, type Member, readMembers } from './members.ts'
import { numbered } from './numbered.ts'
import { headingParagraphs, headingStyles } from './outlined.ts'
import { smaller } from './pictures.ts'
import { untitled } from './untitled.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bare: { type: 'boolean' },
    small: { type: 'boolean' },
    show: { type: 'boolean' },
    flow: { type: 'boolean' },
    untitled: { type: 'boolean' },
  },
})
const [input, output] = positionals as [string, string]

/** Pictures in Windows formats, also compressed. */
const METAFILE = /\.(?:emf|wmf|emz|wmz)$/i
const presentation = 'presentationml.presentation.main+xml'
const slideshow = 'presentationml.slideshow.main+xml'

/** A Word document whose text boxes, charts, diagrams, fields, headings and numbers simple readers understand. */
function flowing(found: readonly Member[]): Member[] {
  const members = found.map((member) => ({ ...member, content: transitional(member) }))
  const texts = new Map<string, string>()
  const part = (name: string) => {
    const text = texts.get(name) ?? members.find((one) => one.name.toLowerCase() === name)?.content.toString() ?? ''
    texts.set(name, text)
    return text
  }
  const styles = headingStyles(part('word/styles.xml'))
  const relations = part('word/_rels/document.xml.rels').matchAll(/<Relationship\s[^<>]*>/g)
  const targets = new Map(
    [...relations].map(([tag]) => attributesOf(tag)).map((is) => [is.get('id'), is.get('target')]),
  )
  const partOf = (id: string) => part(posix.join('/word', targets.get(id)?.toLowerCase() ?? '').slice(1))
  return members.map((member) => {
    const key = member.name.toLowerCase()
    if (key === 'word/styles.xml') return { ...member, content: Buffer.from(styles) }
    if (key !== 'word/document.xml') return member
    const text = lifted(captioned(longFields(legibleRuns(anchored(member.content.toString())))))
    const document = headingParagraphs(charted(text, partOf))
    return { ...member, content: Buffer.from(numbered(document, part('word/numbering.xml'), styles)) }
  })
}

async function rewritten({ name, content }: Member, bare: Map<string, string>): Promise<Buffer> {
  const key = name.toLowerCase()
  if (values.bare && bare.has(key)) return Buffer.from(bare.get(key)!)
  if (values.show && key === '[content_types].xml')
    return Buffer.from(content.toString('utf8').replace(presentation, slideshow))
  if (values.untitled && key === 'word/document.xml') return Buffer.from(untitled(content.toString('utf8'), 'docx'))
  if (values.untitled && key === 'content.xml') return Buffer.from(untitled(content.toString('utf8'), 'odt'))
  if (key === 'meta-inf/manifest.xml' && content.includes('encryption-data')) throw locked()
  return values.small ? smaller(name, content) : content
}

async function write(found: readonly Member[]): Promise<void> {
  const members = values.flow ? flowing(found) : found
  const bare = bareParts(members)
  const zip = new ZipFile()
  for (const member of members) {
    const content = await rewritten(member, bare)
    // `mimetype` comes first and is not compressed (OpenDocument 1.3 part 2, §3.3).
    const compress = member.name !== 'mimetype'
    zip.addBuffer(content, member.name, { compress, compressionLevel: compress ? 9 : 0, mtime: new Date(1980, 0, 1) })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(output))
}

try {
  const members = await readMembers(await readFile(input))
  if (members.some(({ name }) => METAFILE.test(name))) console.log('metafiles')
  await write(members)
} catch (error) {
  report(error, 'The document is damaged')
}
