import type { Format } from '../../kernel/contract.ts'

/** Drawings that are not a CAD program's. */
export const formats = {
  svg: {
    mime: 'image/svg+xml',
    wanted: ['png', 'jpg', 'pdf', 'webp', 'eps', 'ico', 'gif', 'emf', 'dxf', 'ps', 'avif'],
  },
  svgz: { mime: 'image/svg+xml' },
  eps: { mime: 'application/postscript' },
  ai: { mime: 'application/illustrator', label: 'Illustrator' },
  emf: { mime: 'image/emf' },
  wmf: { mime: 'image/wmf' },
  odg: { mime: 'application/vnd.oasis.opendocument.graphics' },
  fig: { mime: 'application/x-xfig', label: 'Xfig' },
  cdr: { mime: 'application/vnd.corel-draw', label: 'CorelDRAW' },
} satisfies Record<string, Format>
