/** Detection as in the service, with optional external formats. */
import type { Format } from '../../kernel/contract.ts'
import { createDetect, type Detected } from '../../kernel/detection/detect.ts'
import { createHints } from '../../kernel/detection/hint.ts'
import type { Peek } from '../../kernel/detection/source.ts'
import steps, { formats as families } from '../../plugins/formats/index.ts'

export { type Peek, peekFile } from '../../kernel/detection/source.ts'

export const formats = Object.entries<Format>(families).map(([extension, format]) => ({ extension, ...format }))

/** Returns the format that a file's name suggests, among the bundled formats. */
export const hintOf = createHints(formats)

/** Detection with the bundled formats and those of external plugins. */
export function detectWith(foreign: Readonly<Record<string, Format>>) {
  const outside = Object.entries(foreign).map(([extension, format]) => ({ extension, ...format }))
  return createDetect({ formats: [...formats, ...outside], foreign: outside, steps })
}

const shipped = createDetect({ formats, steps })

interface Options {
  sniffers?: ReadonlyMap<string, (head: Uint8Array) => boolean>
  textual?: ReadonlySet<string>
}

/** Detects with the bundled formats, and with external recognisers and names of plain text. */
export function detect(file: Peek, name: string, { sniffers, textual }: Options = {}): Promise<Detected | undefined> {
  if (!sniffers && !textual) return shipped(file, name)
  const mime = 'application/octet-stream'
  const sniffed = [...(sniffers ?? [])].map(([extension, sniff]): [string, Format] => [extension, { mime, sniff }])
  const named = [...(textual ?? [])].map((extension): [string, Format] => [extension, { mime, text: 'plain' }])
  return detectWith(Object.fromEntries([...sniffed, ...named]))(file, name)
}
