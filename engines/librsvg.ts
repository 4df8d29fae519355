import { fileURLToPath } from 'node:url'
import type { Engine, Run } from '../kernel/contract.ts'
import { pdftops } from './poppler.ts'

const fonts = fileURLToPath(new URL('fonts/outlines.conf', import.meta.url))

/** Draws SVG, which it loads no other file for, into PostScript, PDF or PNG (rsvg-convert(1)). */
export const rsvgConvert: Engine = {
  name: 'librsvg',
  binary: ['rsvg-convert'],
  version: ['--version'],
  package: 'librsvg2-bin',
  argv: (job, args) => [args, '-o', job.output, job.input],
  sandbox: { binds: [fonts], env: { FONTCONFIG_FILE: fonts } },
}

/** Size and resolution: librsvg counts 96 pixels to an inch, as CSS does. */
export const scale = ['-d', 96, '-p', 96] as const

/**
 * Draws SVG as encapsulated PostScript, which cairo needs the machine's /tmp for. Without a sandbox that is closed to
 * programs: there it goes by way of PDF, in `scratch`. It uses `rsvgConvert` and `pdftops`.
 */
export async function encapsulate(run: Run, files: { input: string; output: string }, scratch: string): Promise<void> {
  try {
    await run(rsvgConvert, ['-f', 'eps', scale], files)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
    const pdf = `${scratch}/encapsulated.pdf`
    await run(rsvgConvert, ['-f', 'pdf', scale], { input: files.input, output: pdf })
    await run(pdftops, ['-eps'], { input: pdf, output: files.output })
  }
}
