import { Refusal } from '../refusal/refusal.ts'

export const tooLarge = () =>
  new Refusal('The picture has more pixels than can be converted: the limit is 268 megapixels', 'RESOURCE_LIMIT')

/** How libvips complains, and what clients read instead. */
const meanings: [RegExp, () => Refusal][] = [
  [/pixel limit|too many pixels|dimensions? (is|are)? ?too (big|large)|exceeds? .*limit/i, tooLarge],
  [
    /too large for the (\w+) format|maximum (image )?(dimension|size)/i,
    () => new Refusal('The picture is too large for this format: set maxWidth or maxHeight'),
  ],
  [
    /out of memory|cannot allocate|allocation failed|ENOMEM/i,
    () => new Refusal('The picture needs more memory than a conversion may use', 'RESOURCE_LIMIT'),
  ],
  [/ENOSPC|EFBIG|EDQUOT|no space left/i, () => new Refusal('The result is larger than allowed', 'RESOURCE_LIMIT')],
  [
    /unsupported image format|not a known file format|compression format has not been built in|Unsupported codec/i,
    () => new Refusal('The file is not a picture of the format that it claims to be'),
  ],
]

/** Turns any error into a refusal that clients may read. */
export function refusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  for (const [pattern, meaning] of meanings) if (pattern.test(message)) return meaning()
  return new Refusal('The picture is damaged, incomplete or of an unsupported kind')
}
