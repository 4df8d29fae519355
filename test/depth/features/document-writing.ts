import type { Subject } from '../family.ts'
import { documents } from '../readers/documents.ts'
import type { Writing } from '../readers/writing.ts'
import { isSource, once } from '../sight.ts'
import { among } from './compare.ts'

export const writingOf = once(
  async ({ path, format }: Subject): Promise<Writing | undefined> => documents[format]?.(path),
)
export const reading =
  <Key extends keyof Writing>(key: Key) =>
  async (subject: Subject) =>
    unsure(subject, key) ? undefined : (await writingOf(subject))?.[key]
/** Found pages do not tell which lines are headings, which are bold in themselves, and which words a link has. */
const unsure = (subject: Subject, key: keyof Writing) =>
  isSource(subject) && subject.format === 'pdf' && ['headings', 'bold', 'italic', 'links'].includes(key)
export const structured = ['docx', 'odt', 'html', 'md', 'epub']
export const toPdf = [...structured, 'pdf']
export const laid = [...toPdf, 'txt']
export const pages = ['html', 'xhtml', 'mht']
/** Plain text has none of it. */
export const lostInText = (formats: readonly string[]) => among(formats, ['txt'])
