import { join } from 'node:path'
import type { Specimen } from './family.ts'

/** Absolute path of a file of `files/`. */
export const saved = (path: string) => join(import.meta.dirname, 'files', path)

/** The format of a specimen: what follows the first dot of its name. */
export const formatOf = (name: string) => name.slice(name.indexOf('.') + 1)

/** A specimen that lies in `files/`, in the folder of its family. */
export const inFile = (family: string, name: string, truth: object, features = Object.keys(truth)): Specimen => ({
  name,
  from: formatOf(name),
  maker: 'hand',
  features,
  truth: { ...truth },
  path: saved(`${family}/${name}`),
  make: async () => {},
})
