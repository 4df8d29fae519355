import { epub } from '../../engines/epub.ts'
import type { Route } from '../../kernel/contract.ts'
import type { EbookOptions } from './options.ts'

/** Makes a book smaller. */
export const optimisations: readonly Route<EbookOptions>[] = [{ transform: ['epub'], engine: epub, args: () => [] }]
