/** Extensions that mean the same as a canonical one, as far as detection takes a hint from a name. */
const ALIASES: Record<string, string> = {
  text: 'txt',
  log: 'txt',
  markdown: 'md',
  mkd: 'md',
  mdown: 'md',
  tab: 'tsv',
  yml: 'yaml',
  htm: 'html',
  xht: 'xhtml',
  latex: 'tex',
  asciidoc: 'adoc',
  mediawiki: 'wiki',
  docbook: 'dbk',
  mpeg: 'mpg',
  mpe: 'mpg',
  m4v: 'mp4',
  azw: 'azw3',
  tgz: 'tar.gz',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  txz: 'tar.xz',
  tzst: 'tar.zst',
  tlz4: 'tar.lz4',
  tlz: 'tar.lzma',
  taz: 'tar.z',
  stp: 'step',
  igs: 'iges',
  pct: 'pict',
  pic: 'pict',
  icb: 'tga',
  vda: 'tga',
  vst: 'tga',
  '3gpp': '3gp',
  '3gpp2': '3g2',
}

/** The extension of a name as a hint: lower case, canonical, `tar.xz` for both of its ends; '' without one. */
export function hintOf(name: string): string {
  const parts = name.slice(-255).toLowerCase().trim().split(/[/\\]/).at(-1)!.split('.')
  if (parts.length < 2) return ''
  const last = parts.at(-1)!
  const both = parts.length > 2 && parts.at(-2) === 'tar' ? `tar.${last === 'zstd' ? 'zst' : last}` : last
  return ALIASES[both] ?? both
}

/** Whether a name claims an iWork document, which is refused whatever the bytes say. */
export const claimsIWork = (hint: string) => ['pages', 'numbers', 'key'].includes(hint)
