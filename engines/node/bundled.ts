import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program and the one file that `bundle.ts` makes of it. */
export interface Bundle {
  /** Path of the program. */
  file: string
  /** Patterns of modules that stay outside, because they are not JavaScript. */
  outside: readonly string[]
  /** Path of the bundle. */
  place: string
}

/** All that were declared. */
export const bundles: Bundle[] = []

/** Declares a bundle in `folder`. Returns its path, or undefined if it is missing or was made of other sources. */
export function bundled(file: string, outside: readonly string[], folder: string): string | undefined {
  const place = join(folder, 'bundles', `${basename(dirname(file))}.mjs`)
  bundles.push({ file, outside, place })
  try {
    const { madeOf, digest } = JSON.parse(readFileSync(`${place}.json`, 'utf8')) as { madeOf: string[]; digest: string }
    return digestOf(madeOf) === digest ? place : undefined
  } catch {
    return undefined
  }
}

/** Digest of the contents of files, whose paths are relative to the checkout. Throws if one is missing. */
export function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}
