import type { Look, Refusal } from '../../kernel/contract.ts'

export const iwork: Refusal = {
  refused: 'iWork documents (pages, numbers, key) are not accepted; export it as pdf, docx, xlsx or pptx first',
}
export const executable: Refusal = { refused: 'programs and self-extracting archives are not accepted' }
export const font: Refusal = { refused: 'fonts are not accepted' }
export const sqlite: Refusal = { refused: 'SQLite databases are not accepted' }

/** The refusal of a known format that no engine can read. */
export const unsupported = (kind: string): Refusal => ({ refused: `${kind} files are not accepted` })
/** Sound that is not read here. */
export const unsupportedSound = (kind: string): Refusal => ({
  refused: `${kind} files are not accepted: WAV and FLAC, which its own program writes, are`,
})

const IWORK = ['pages', 'numbers', 'key']

/** Refuses files named as iWork documents, whatever their bytes are. */
export const claimedIWork: Look = (_, hint) => (IWORK.includes(hint) ? iwork : undefined)
