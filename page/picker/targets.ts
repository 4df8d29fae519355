/** Which targets can be chosen. */
export interface Targets {
  /** Formats, and `SAME`. */
  targets: readonly string[]
  /** Those that are often wanted from this source, most wanted first. */
  wanted: readonly string[]
  /** Category of the source. Its group comes first. */
  category?: string
}
