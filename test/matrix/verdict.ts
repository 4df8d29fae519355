/** What a verifier measured. */
export interface Verdict {
  /** Likeness in dB, where the result shows the picture. */
  psnr?: number
}

/** A result that can be read, but is not what its source shows. */
export class Unlike extends Error {
  override name = 'Unlike'
}
