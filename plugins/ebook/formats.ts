import type { Format } from '../../kernel/contract.ts'

/** Books to read on a screen. */
export const formats = {
  epub: { mime: 'application/epub+zip' },
  mobi: { mime: 'application/x-mobipocket-ebook' },
  azw3: { mime: 'application/vnd.amazon.mobi8-ebook', aliases: ['azw', 'kf8'] },
  prc: { mime: 'application/vnd.palm' },
  fb2: { mime: 'application/x-fictionbook+xml', label: 'FictionBook' },
  htmlz: { mime: 'application/x-htmlz' },
  txtz: { mime: 'application/x-txtz' },
  lit: { mime: 'application/x-ms-reader' },
  lrf: { mime: 'application/x-sony-bbeb' },
  pdb: { mime: 'application/vnd.palm' },
  pmlz: { mime: 'application/x-pmlz' },
  rb: { mime: 'application/x-rocketbook', label: 'RocketBook' },
  chm: { mime: 'application/vnd.ms-htmlhelp' },
  cbz: { mime: 'application/vnd.comicbook+zip', wanted: ['pdf', 'epub', 'mobi', 'azw3', 'zip', 'jpg', 'png'] },
} satisfies Record<string, Format>
