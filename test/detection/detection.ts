/** Detection as in the service, with optional external formats. */
import type { Format } from '../../kernel/contract.ts'
import { createDetect } from '../../kernel/detection/detect.ts'
import { createHints } from '../../kernel/detection/hint.ts'
import steps, { formats as families } from '../../plugins/formats/index.ts'

export { peekFile } from '../../kernel/detection/source.ts'

export const formats = Object.entries<Format>(families).map(([extension, format]) => ({ extension, ...format }))

/** Returns the format that a file's name suggests, among the bundled formats. */
export const hintOf = createHints(formats)

/** Detection with the bundled formats and those of external plugins. */
export function detectWith(foreign: Readonly<Record<string, Format>>) {
  const outside = Object.entries(foreign).map(([extension, format]) => ({ extension, ...format }))
  return createDetect({ formats: [...formats, ...outside], foreign: outside, steps })
}

/** Detects with the bundled formats. */
export const detect = createDetect({ formats, steps })
