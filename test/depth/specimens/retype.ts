import { readFile } from 'node:fs/promises'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { zip } from '../../fixtures/zip.ts'

/** Copies a package as another type: a template, or a document with macros that has none. */
export async function retype(input: string, output: string, from: string, to: string): Promise<void> {
  const listed = ['[Content_Types].xml', 'mimetype', 'META-INF/manifest.xml']
  const members = (await readMembers(await readFile(input))).map(({ name, content }) => [
    name,
    listed.includes(name) ? content.toString().replace(from, to) : content,
  ])
  await zip(output, Object.fromEntries(members))
}
