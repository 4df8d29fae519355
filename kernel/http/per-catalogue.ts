import type { Catalogue } from '../catalogue/catalogue.ts'

/**
 * Makes a value once for each state of the catalogue. It changes when nodes come or go that can convert something else.
 */
export function perCatalogue<T>(catalogue: Pick<Catalogue, 'pairs'>, make: () => T): () => T {
  let made: { of: object; value: T } | undefined
  return () => {
    if (made?.of !== catalogue.pairs) made = { of: catalogue.pairs, value: make() }
    return made.value
  }
}
