import { ocrSettings } from '../../engines/ocr.ts'
import type { Plugin } from '../../kernel/contract.ts'

/** Book targets take no options. */
export type EbookOptions = Record<never, never>

export const options: Plugin<EbookOptions>['options'] = {}

/** Settings in the configuration. */
export interface Settings {
  ocr: { languages: readonly string[] }
}

/** Their schema. */
export const settings = { properties: { ocr: ocrSettings } }
