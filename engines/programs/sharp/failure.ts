/** Why a file was refused: a code of the contract, and one sentence without paths. */
export class Refusal extends Error {
  readonly code: 'CONVERSION_ERROR' | 'RESOURCE_LIMIT'

  constructor(code: Refusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

export const tooLarge = () =>
  new Refusal('RESOURCE_LIMIT', 'The picture has more pixels than can be converted: the limit is 268 megapixels')

/** What libvips says, and what that means to whoever sent the file. */
const meanings: [RegExp, (message: string) => Refusal][] = [
  [/pixel limit|too many pixels|dimensions? (is|are)? ?too (big|large)|exceeds? .*limit/i, tooLarge],
  [
    /too large for the (\w+) format|maximum (image )?(dimension|size)/i,
    () => new Refusal('CONVERSION_ERROR', 'The picture is too large for this format: set maxWidth or maxHeight'),
  ],
  [
    /out of memory|cannot allocate|allocation failed|ENOMEM/i,
    () => new Refusal('RESOURCE_LIMIT', 'The picture needs more memory than a conversion may use'),
  ],
  [/ENOSPC|EFBIG|EDQUOT|no space left/i, () => new Refusal('RESOURCE_LIMIT', 'The result is larger than allowed')],
  [
    /unsupported image format|not a known file format|compression format has not been built in|Unsupported codec/i,
    () => new Refusal('CONVERSION_ERROR', 'The file is not a picture of the format that it claims to be'),
  ],
]

/** Turns whatever was thrown into what a client may read. */
export function refusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  for (const [pattern, meaning] of meanings) if (pattern.test(message)) return meaning(message)
  return new Refusal('CONVERSION_ERROR', 'The picture is damaged, incomplete or of an unsupported kind')
}
