import type { Loss } from '../../kernel/contract.ts'
import type { DocumentOptions } from './options.ts'

/** Sources that exist to hold macros, and targets that keep those of their kind. */
const programmed = ['docm', 'xlsm', 'pptm']
const keeping = ['doc', 'dot', 'docm', 'xls', 'xlsm', 'ppt', 'pps', 'pptm']

/** What documents lose, for reports. */
export const losses: readonly Loss<DocumentOptions>[] = [
  { kind: 'fonts', when: { to: ['pdfa.pdf'] }, names: ({ more }) => more?.missing ?? [] },
  { kind: 'macros', when: { from: programmed, not: { to: keeping } } },
  { kind: 'metadata', when: { options: { metadata: ['remove'] } } },
]
