/** A result that can be read but differs from its source. */
export class Unlike extends Error {
  override name = 'Unlike'
}
