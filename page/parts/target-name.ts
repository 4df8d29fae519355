import { SAME } from '../state/wanted.ts'
import type { Texts } from '../texts/texts.ts'

/** Returns the code of a format as people write it. */
export const codeOf = (format: string): string =>
  format === 'ocr.pdf' ? 'PDF' : format === 'pdfa.pdf' ? 'PDF/A' : format.toUpperCase()

/**
 * Returns the name of a target.
 * @param source Format of the source, as which a target makes the file smaller.
 */
export function targetName({ t, has }: Texts, to: string, source?: string): string {
  if (to === source) return t('target.optimise', { format: codeOf(to) })
  const key = `wanted.${to}`
  return to === SAME ? t('wanted.same') : has(key) ? t(key) : codeOf(to)
}
