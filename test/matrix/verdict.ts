/** What a verifier measured. */
export interface Verdict {
  /** Likeness in dB, where the result shows the picture. */
  psnr?: number
  /** Share of the source's words that the result has, 0 to 1, where both hold text. */
  recall?: number
  /** Seconds by which the result is longer or shorter, where both play. */
  drift?: number
}

/** A result that can be read, but is not what its source shows. */
export class Unlike extends Error {
  override name = 'Unlike'
}
