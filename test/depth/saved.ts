import { join } from 'node:path'
import type { Specimen } from './family.ts'

/** Absolute path of a file of `files/`. */
export const saved = (path: string) => join(import.meta.dirname, 'files', path)

/** The format of a specimen: what follows the first dot of its name. */
export const formatOf = (name: string) => name.slice(name.indexOf('.') + 1)

/** A specimen that `make` writes. Without `features`, it has those of its truth. */
export const specimen = (
  name: string,
  make: Specimen['make'],
  truth: object,
  features: readonly string[] = Object.keys(truth),
): Specimen => ({ name, from: formatOf(name), features, truth: { ...truth }, make })

/** A specimen that lies in `files/`, in the folder of its family. */
export const inFile = (family: string, name: string, truth: object, features?: readonly string[]): Specimen => ({
  ...specimen(name, async () => {}, truth, features),
  path: saved(`${family}/${name}`),
})
