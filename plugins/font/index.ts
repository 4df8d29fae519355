import { fontTools } from '../../engines/font.ts'
import type { Format, Plugin } from '../../kernel/contract.ts'
import { isTableDirectory } from '../formats/font.ts'

const formats = {
  ttf: { mime: 'font/ttf', label: 'TrueType', sniff: isTableDirectory },
  otf: { mime: 'font/otf', label: 'OpenType', signatures: ['OTTO\0'] },
  woff: { mime: 'font/woff', signatures: ['wOFF'] },
  woff2: { mime: 'font/woff2', signatures: ['wOF2'] },
} satisfies Record<string, Format>

const all = Object.keys(formats)

/** Fonts: outlines of the kind that the target needs, packed as it wants. */
export default {
  category: 'font',
  formats,
  options: {},
  wanted: ['woff2', 'ttf', 'otf', 'woff'],
  routes: [{ from: all, to: all, engine: fontTools, args: ({ to }) => [to] }],
} satisfies Plugin
