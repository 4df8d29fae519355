import type { Plugin } from '../../kernel/contract.ts'

/** Book targets take no options. */
export type EbookOptions = Record<never, never>

export const options: Plugin<EbookOptions>['options'] = {}
