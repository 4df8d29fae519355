import type { Words } from './words.ts'

type PurposeIn<Key> = Key extends `purpose.${infer Name}` ? Name : never
type Purpose = PurposeIn<keyof Words>

/**
 * The targets that people know, most wanted first: the name of a program, or a purpose, which the languages have words
 * for.
 */
const KNOWN: Readonly<Record<string, { program: string } | { purpose: Purpose }>> = {
  pdf: { purpose: 'same' },
  docx: { program: 'Word' },
  jpg: { purpose: 'photo' },
  png: { purpose: 'transparent' },
  mp4: { purpose: 'everywhere' },
  mp3: { purpose: 'everywhere' },
  'ocr.pdf': { purpose: 'searchable' },
  xlsx: { program: 'Excel' },
  txt: { purpose: 'text' },
  webp: { purpose: 'small' },
  pptx: { program: 'PowerPoint' },
  gif: { purpose: 'animation' },
  epub: { purpose: 'ebook' },
  'pdfa.pdf': { purpose: 'archive' },
  svg: { purpose: 'vector' },
  zip: { purpose: 'unpacks' },
  html: { purpose: 'webpage' },
  csv: { purpose: 'table' },
  avif: { purpose: 'smallest' },
  wav: { purpose: 'uncompressed' },
  m4a: { purpose: 'apple' },
  webm: { purpose: 'small' },
  mov: { program: 'QuickTime' },
  flac: { purpose: 'lossless' },
  odt: { program: 'LibreOffice Writer' },
  ods: { program: 'LibreOffice Calc' },
  odp: { program: 'LibreOffice Impress' },
  md: { program: 'Markdown' },
  rtf: { purpose: 'processor' },
  tif: { purpose: 'print' },
  heic: { purpose: 'apple' },
  ico: { program: 'Favicon' },
  bmp: { purpose: 'uncompressed' },
  azw3: { program: 'Kindle' },
  mobi: { program: 'Kindle' },
  ogg: { purpose: 'open' },
  opus: { purpose: 'open' },
  m4r: { program: 'iPhone' },
  mkv: { purpose: 'open' },
  avi: { program: 'Windows' },
  wmv: { program: 'Windows' },
  doc: { program: 'Word 97–2003' },
  xls: { program: 'Excel 97–2003' },
  ppt: { program: 'PowerPoint 97–2003' },
  '7z': { program: '7-Zip' },
  stl: { purpose: 'printing' },
  '3mf': { purpose: 'printing' },
  glb: { program: 'glTF' },
  obj: { program: 'Blender' },
  dxf: { program: 'AutoCAD' },
}

const ORDER = Object.keys(KNOWN)

/** Whether people know a target by its name. */
export const isKnown = (target: string): boolean => Object.hasOwn(KNOWN, target)

/** Returns the place of a target by how often it is wanted; targets that few people know come last. */
export const rankOf = (target: string): number => {
  const rank = ORDER.indexOf(target)
  return rank < 0 ? ORDER.length : rank
}

/** Returns what a target is for: a program or a purpose. Empty for targets that few people know. */
export function purposeOf(target: string, words: Words): string {
  const known = isKnown(target) ? KNOWN[target]! : undefined
  if (!known) return ''
  return 'program' in known ? known.program : words[`purpose.${known.purpose}`]
}
