import type { Look, Refusal } from '../../kernel/contract.ts'

export const iwork: Refusal = {
  refused: 'iWork documents (pages, numbers, key) are not accepted; export it as pdf, docx, xlsx or pptx first',
}
export const executable: Refusal = { refused: 'programs and self-extracting archives are not accepted' }
export const font: Refusal = { refused: 'fonts are not accepted' }
export const sqlite: Refusal = { refused: 'SQLite databases are not accepted' }

/** What is recognised by its kind, and has no reader here. */
export const unsupported = (kind: string): Refusal => ({ refused: `${kind} files are not accepted` })

const IWORK = ['pages', 'numbers', 'key']

/** A name that claims an iWork document: it is refused whatever the bytes say. */
export const claimedIWork: Look = (_, hint) => (IWORK.includes(hint) ? iwork : undefined)
