import type { Family } from '../family.ts'

const wanted = ['pdf', 'svg', 'png', 'jpg', 'odg', 'emf', 'docx']

/** Diagrams and publications of office programs. */
export const diagrams = {
  vsd: { mime: 'application/vnd.visio', label: 'Visio VSD', wanted },
  vsdx: {
    mime: 'application/vnd.ms-visio.drawing.main+xml',
    label: 'Visio VSDX',
    zip: { main: ['ms-visio.drawing.', 'ms-visio.template.'] },
    wanted,
  },
  pub: { mime: 'application/x-mspublisher', label: 'Publisher', wanted },
} satisfies Family
