import { extensions, type Family, without } from './family.ts'

/** Ebooks. */
export const books = {
  epub: { mime: 'application/epub+zip', zip: { types: ['application/epub+zip'] } },
  mobi: { mime: 'application/x-mobipocket-ebook' },
  azw3: { mime: 'application/vnd.amazon.mobi8-ebook', aliases: ['azw', 'kf8'] },
  prc: { mime: 'application/vnd.palm' },
  fb2: {
    mime: 'application/x-fictionbook+xml',
    label: 'FictionBook',
    text: 'marked',
    xml: { root: 'fictionbook' },
  },
  htmlz: { mime: 'application/x-htmlz' },
  txtz: { mime: 'application/x-txtz' },
  lit: { mime: 'application/x-ms-reader', signatures: ['ITOLITLS'] },
  lrf: { mime: 'application/x-sony-bbeb', signatures: ['L\0R\0F\0', 'L\0R\0X\0'] },
  pdb: { mime: 'application/vnd.palm' },
  pmlz: { mime: 'application/x-pmlz' },
  rb: { mime: 'application/x-rocketbook', label: 'RocketBook', signatures: ['\xb0\x0c\xb0\x0c'] },
  chm: { mime: 'application/vnd.ms-htmlhelp', signatures: ['ITSF'], fileType: 'chm' },
  cbz: { mime: 'application/vnd.comicbook+zip', wanted: ['pdf', 'epub', 'mobi', 'azw3', 'zip', 'jpg', 'png'] },
  cbr: { mime: 'application/vnd.comicbook-rar', wanted: ['pdf', 'cbz', 'epub', 'mobi', 'azw3'] },
  cb7: { mime: 'application/x-cb7', wanted: ['pdf', 'cbz', 'epub', 'mobi', 'azw3'] },
  cbt: { mime: 'application/x-cbt', wanted: ['pdf', 'cbz', 'epub', 'mobi', 'azw3'] },
} satisfies Family

/** Comics: a picture a page, in an archive. */
export const comics = ['cbz', 'cbr', 'cb7', 'cbt']

/** Ebooks with flowing text: all but comics. */
export const flowingBook = without(extensions(books), ...comics)
