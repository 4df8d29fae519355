import type { Catalogue, FormatFacts } from '../../catalogue/catalogue.ts'
import type { Tool } from '../../catalogue/tools.ts'

/** The pair of formats that the examples of the OpenAPI document are about. This installation can convert it. */
export interface SamplePair {
  tool: Tool
  from: FormatFacts
  to: FormatFacts
  /** Targets of `from`, most wanted first. */
  suggestions: readonly string[]
}

/** The pair that readers know best. */
const FAMILIAR = 'png-to-webp'

/** When everything in the examples happens: 21 November 2026, 10:00 UTC, in epoch milliseconds. */
export const SAMPLE_TIME = Date.UTC(2026, 10, 21, 10)

/** The end of a sample's identifier. @param digit Tells samples apart. */
export const sampleId = (digit: string) => `019aa5b6d0a17c3e8b5f4a697812345${digit}`

/** Chooses the pair. Undefined when the catalogue is empty: then the document has no examples. */
export function choosePair(catalogue: Pick<Catalogue, 'tools' | 'formats' | 'suggest'>): SamplePair | undefined {
  const open = catalogue.tools.filter((tool) => tool.enabled && tool.jobIntent === 'convert')
  const tool = open.find(({ slug }) => slug === FAMILIAR) ?? open[0]
  if (!tool) return undefined
  // biome-ignore lint/style/noNonNullAssertion: the formats of a tool are known.
  const formatOf = (name: string) => catalogue.formats.find(({ extension }) => extension === name)!
  return {
    tool,
    from: formatOf(tool.fromFormat),
    to: formatOf(tool.toFormat),
    suggestions: catalogue.suggest(tool.fromFormat),
  }
}
