/** Detection as the service has it, with formats from outside on demand. */
import type { Format } from '../../kernel/contract.ts'
import { createDetect, type Detected } from '../../kernel/detection/detect.ts'
import { createHints } from '../../kernel/detection/hint.ts'
import type { Peek } from '../../kernel/detection/source.ts'
import steps, { formats as families } from '../../plugins/formats/index.ts'

export { type Peek, peekFile } from '../../kernel/detection/source.ts'

export const formats = Object.entries<Format>(families).map(([extension, format]) => ({ extension, ...format }))

/** A file's name as a hint, by the formats that ship. */
export const hintOf = createHints(formats)

/** Detection with the formats that ship and those of plugins from outside. */
export function detectWith(foreign: Readonly<Record<string, Format>>) {
  const outside = Object.entries(foreign).map(([extension, format]) => ({ extension, ...format }))
  return createDetect({ formats: [...formats, ...outside], foreign: outside, steps })
}

const shipped = createDetect({ formats, steps })

interface Options {
  sniffers?: ReadonlyMap<string, (head: Uint8Array) => boolean>
  textual?: ReadonlySet<string>
}

/** Detects with the formats that ship, and with recognisers and names of plain text from outside. */
export function detect(file: Peek, name: string, { sniffers, textual }: Options = {}): Promise<Detected | undefined> {
  if (!sniffers && !textual) return shipped(file, name)
  const mime = 'application/octet-stream'
  const sniffed = [...(sniffers ?? [])].map(([extension, sniff]): [string, Format] => [extension, { mime, sniff }])
  const named = [...(textual ?? [])].map((extension): [string, Format] => [extension, { mime, text: 'plain' }])
  return detectWith(Object.fromEntries([...sniffed, ...named]))(file, name)
}
