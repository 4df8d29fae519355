import type { Source } from './peek.ts'

/** A kind of file that is known and never converted; the phrase tells a client why. */
export interface Refusal {
  refused: string
}

/** A canonical extension, or why there is none. */
export type Verdict = string | Refusal

/** Looks at a file from one angle. It may throw a RangeError where bytes are missing: then it found nothing. */
export type LookIn = (file: Source, hint: string) => Promise<Verdict | undefined> | Verdict | undefined

export const iwork: Refusal = {
  refused: 'iWork documents (pages, numbers, key) are not accepted; export it as pdf, docx, xlsx or pptx first',
}
export const executable: Refusal = { refused: 'programs and self-extracting archives are not accepted' }
export const font: Refusal = { refused: 'fonts are not accepted' }
export const sqlite: Refusal = { refused: 'SQLite databases are not accepted' }

/** What is recognised by its kind, and has no reader here. */
export const unsupported = (kind: string): Refusal => ({ refused: `${kind} files are not accepted` })
