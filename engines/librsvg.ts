import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const fonts = fileURLToPath(new URL('fonts/outlines.conf', import.meta.url))

/** Draws SVG, which it loads no other file for, into PostScript, PDF or PNG (rsvg-convert(1)). */
export const rsvgConvert: Engine = {
  name: 'rsvg-convert',
  binary: ['rsvg-convert'],
  version: ['--version'],
  package: 'librsvg2-bin',
  argv: (job, args) => [args, '-o', job.output, job.input],
  sandbox: { binds: [fonts], env: { FONTCONFIG_FILE: fonts } },
}
