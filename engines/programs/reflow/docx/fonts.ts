/** Fonts of TeX, Ghostscript and others by what stands for them on most machines. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/^(cmtt|lmmono|sftt|ectt|nimbusmon|courier|couriernew)/i, 'Courier New'],
  [/^(cmss|lmsans|sfss|ecss|nimbussan|helvetica|arial$|arialmt|arialpsmt)/i, 'Arial'],
  [/^(cm|lmroman|sfrm|sfbx|sfti|ecrm|ecbx|ecti|nimbusrom|times|timesnewroman)/i, 'Times New Roman'],
]

/** The name of a font family, out of the name of a font in a PDF, such as `ABCDEF+TimesNewRomanPS-BoldMT`. */
export function familyOf(font: string): string {
  const bare = font
    .replace(/^[A-Z]{6}\+/, '')
    .replace(/[-,](bold|italic|oblique|regular|roman|medium|light|book|black|semibold|demi|heavy|[bi]d?)+.*$/i, '')
    .replace(/(PS)?MT$|PS$/, '')
  const alike = ALIKE.find(([pattern]) => pattern.test(bare.replace(/[\s-]/g, '')))
  if (alike) return alike[1]
  const words = bare.replace(/[-_]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')
  return words.replace(/[^\p{L}\p{N} ]/gu, '').trim() || 'Arial'
}
