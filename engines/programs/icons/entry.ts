/** One square image of an icon, in both forms that writers need. */
export interface Entry {
  /** Pixels per side. */
  size: number
  png: Buffer
  /** Four bytes per pixel, rows from the top, alpha not premultiplied. */
  rgba: Buffer
}
