/** The measurements of a verifier. */
export interface Verdict {
  /** Likeness in dB, if the result shows the picture. */
  psnr?: number
  /** Share of the source's words in the result, 0 to 1, if both contain text. */
  recall?: number
  /** Difference of the durations in seconds, if both play. */
  drift?: number
}

/** A result that can be read but differs from its source. */
export class Unlike extends Error {
  override name = 'Unlike'
}
