/** One square picture of an icon, in both forms that a writer may want. */
export interface Entry {
  /** Pixels a side. */
  size: number
  png: Buffer
  /** Four bytes a pixel, rows from the top, alpha not premultiplied. */
  rgba: Buffer
}
