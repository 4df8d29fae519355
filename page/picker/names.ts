import type { Words } from './words.ts'

type PurposeIn<Key> = Key extends `purpose.${infer Name}` ? Name : never
type Purpose = PurposeIn<keyof Words>

/** Names of programs and formats, which are the same in every language. */
type Name = Capitalize<string> | 'glTF' | 'iPhone'

/** The targets that people know, most wanted first: a name, or a purpose, which the languages have words for. */
const KNOWN: Readonly<Record<string, Name | Purpose>> = {
  pdf: 'same',
  docx: 'Word',
  jpg: 'photo',
  png: 'transparent',
  mp4: 'everywhere',
  mp3: 'everywhere',
  'ocr.pdf': 'searchable',
  xlsx: 'Excel',
  txt: 'text',
  webp: 'small',
  pptx: 'PowerPoint',
  gif: 'animation',
  epub: 'ebook',
  'pdfa.pdf': 'archive',
  svg: 'vector',
  zip: 'unpacks',
  html: 'webpage',
  csv: 'table',
  avif: 'smallest',
  wav: 'uncompressed',
  m4a: 'apple',
  webm: 'small',
  mov: 'QuickTime',
  flac: 'lossless',
  odt: 'LibreOffice Writer',
  ods: 'LibreOffice Calc',
  odp: 'LibreOffice Impress',
  md: 'Markdown',
  'md.zip': 'pictures',
  rtf: 'processor',
  tif: 'print',
  heic: 'apple',
  ico: 'Favicon',
  bmp: 'uncompressed',
  azw3: 'Kindle',
  mobi: 'Kindle',
  ogg: 'open',
  opus: 'open',
  m4r: 'iPhone',
  mkv: 'open',
  avi: 'Windows',
  wmv: 'Windows',
  doc: 'Word 97–2003',
  xls: 'Excel 97–2003',
  ppt: 'PowerPoint 97–2003',
  '7z': '7-Zip',
  stl: 'printing',
  '3mf': 'printing',
  glb: 'glTF',
  obj: 'Blender',
  dxf: 'AutoCAD',
}

const ORDER = Object.keys(KNOWN)

/** Whether people know a target by its name. */
export const isKnown = (target: string): boolean => Object.hasOwn(KNOWN, target)

/** Returns the place of a target by how often it is wanted; targets that few people know come last. */
export const rankOf = (target: string): number => {
  const rank = ORDER.indexOf(target)
  return rank < 0 ? ORDER.length : rank
}

/** Returns what a target is for: a name or a purpose. Empty for targets that few people know. */
export function purposeOf(target: string, words: Words): string {
  const known = isKnown(target) ? KNOWN[target]! : ''
  return words[`purpose.${known}` as keyof Words] ?? known
}
