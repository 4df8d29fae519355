import type { Member } from './members.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const openxml = 'http://schemas.openxmlformats.org'
const empty = {
  core: `${declaration}<cp:coreProperties xmlns:cp="${openxml}/package/2006/metadata/core-properties"/>`,
  app: `${declaration}<Properties xmlns="${openxml}/officeDocument/2006/extended-properties"/>`,
  custom: `${declaration}<Properties xmlns="${openxml}/officeDocument/2006/custom-properties"/>`,
  meta: `${declaration}<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.3"><office:meta/></office:document-meta>`,
}

/** Relationship types of metadata parts (ECMA-376 part 2, §8; part 1, §15.2.12), and empty replacements. */
const kinds: [pattern: RegExp, replacement: string][] = [
  [/\/metadata\/core-properties$/, empty.core],
  [/\/extended-properties$/i, empty.app],
  [/\/custom-properties$/i, empty.custom],
]

/** Empty replacements for the metadata parts of a package, by name in lower case. */
export function bareParts(members: readonly Member[]): Map<string, string> {
  const parts = new Map<string, string>([
    ['docprops/core.xml', empty.core],
    ['docprops/app.xml', empty.app],
    ['docprops/custom.xml', empty.custom],
    ['meta.xml', empty.meta],
  ])
  const relations = members.find(({ name }) => name.toLowerCase() === '_rels/.rels')?.content.toString('utf8') ?? ''
  for (const [tag] of relations.matchAll(/<Relationship\b[^<>]*>/g)) {
    const [type, target] = ['Type', 'Target'].map((name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
    const kind = kinds.find(([pattern]) => pattern.test(type!))
    if (kind) parts.set(target!.replace(/^\//, '').toLowerCase(), kind[1])
  }
  return parts
}
