import type { Family } from './family.ts'

/** Vector drawings. */
export const drawings = {
  svg: {
    mime: 'image/svg+xml',
    xml: { root: 'svg' },
    wanted: ['png', 'jpg', 'pdf', 'webp', 'eps', 'ico', 'gif', 'emf', 'dxf', 'ps', 'avif'],
  },
  svgz: { mime: 'image/svg+xml' },
  eps: { mime: 'application/postscript', signatures: ['\xc5\xd0\xd3\xc6'] },
  ai: { mime: 'application/illustrator', label: 'Illustrator' },
  emf: { mime: 'image/emf', signatures: [{ bytes: ' EMF', at: 40 }] },
  wmf: {
    mime: 'image/wmf',
    signatures: ['\xd7\xcd\xc6\x9a', '\x01\0\x09\0\0\x03', '\x01\0\x09\0\0\x01'],
  },
  odg: {
    mime: 'application/vnd.oasis.opendocument.graphics',
    zip: {
      types: ['application/vnd.oasis.opendocument.graphics', 'application/vnd.oasis.opendocument.graphics-template'],
    },
  },
  fig: { mime: 'application/x-xfig', label: 'Xfig', marks: [/^#FIG \d/] },
  cdr: { mime: 'application/vnd.corel-draw', label: 'CorelDRAW' },
} satisfies Family

/** Windows metafiles. */
export const metafile = ['emf', 'wmf'] as const
