import { exiftool } from '../../engines/exiftool.ts'
import type { Args, Facts, Job, Step } from '../../kernel/contract.ts'
import { kept, removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** Sources whose properties pandoc does not read. */
const unread: readonly string[] = ['docx', 'docm', 'dotx', 'html', 'xhtml', 'pdf']

/** Sources whose title pandoc takes out of the text, where readers see it. */
const titled = ['docx', 'docm', 'dotx']

/** Targets that must have a title. */
const pages = ['html', 'xhtml', 'pdf']

const tags = ['Title', 'Author', 'Creator', 'Subject', 'Keywords']

/** A PDF has them twice: exiftool prints the first of two tags with one name. */
const inPdf = [
  'PDF:Title',
  'PDF:Author',
  'PDF:Subject',
  'PDF:Keywords',
  'XMP-dc:Title',
  'XMP-dc:Creator',
  'XMP-dc:Description',
]

/** Facts that describe a document. */
export interface PropertyFacts {
  /** Title, author and so on, by name. */
  properties: Readonly<Record<string, string>>
}

/** Reads the properties of such a source, for `described`. Without them the conversion goes on. */
export const properties: Step<DocumentOptions, PropertyFacts> = {
  engine: exiftool,
  when: { from: unread, ...kept },
  input: 'source',
  output: false,
  optional: true,
  // The Creator of a PDF is the program that wrote the original, and the Subject of XMP is a list of keywords.
  args: ({ from }) => ['-j', '-struct', (from === 'pdf' ? inPdf : tags).map((tag) => `-${tag}`)],
  facts: (lines) => ({ more: { properties: propertiesIn(lines.join('\n')) } }),
}

/** Pandoc's arguments about what describes the source; `programs/pandoc/facts.lua` reads them. */
export function described(job: Job<DocumentOptions>, { more }: Facts<PropertyFacts>): Args {
  const visible = titled.includes(job.from) && ['-M', 'facts-visible=true']
  if (removes(job)) return ['-M', 'facts-remove=true', visible]
  const told = { ...(more?.properties ?? {}), ...(pages.includes(job.to) && { name: job.name }) }
  return [visible, Object.entries(told).map(([name, value]) => ['-M', `facts-${name}=${value}`])]
}

/** The properties in what exiftool printed; none where that is not JSON. */
function propertiesIn(text: string): Record<string, string> {
  const { Title, Author, Creator, Subject, Description, Keywords } = parsed(text)
  const found = { title: Title, author: Author ?? Creator, subject: Subject ?? Description, keywords: Keywords }
  const listed = Object.entries(found).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  const told = listed.filter(([, value]) => typeof value === 'string' && value)
  return Object.fromEntries(told) as Record<string, string>
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)[0]
  } catch {
    return {}
  }
}
