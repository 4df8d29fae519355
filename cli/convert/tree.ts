import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { formatNamed } from '../../client/format-named.ts'
import type { Format } from '../../client/records.ts'
import { splitName } from '../formats.ts'
import type { ConvertRequest } from './request.ts'

/** One file to convert. */
export interface Item {
  /** A path, a URL, or `-`. */
  source: string
  /** Where the result goes; `-` is standard output. Of a URL: a folder, since only the service knows its name. */
  output: string
  /** Whether `output` is a folder. */
  isFolder?: boolean
  /** Whether the result gets the dates of the source. */
  keepsDates?: boolean
  /** Why it cannot be converted. */
  fault?: Error
}

/** What to convert, and how many files of folders cannot become the target. */
export interface Plan {
  items: readonly Item[]
  skipped: number
}

/**
 * Plans the files below a folder: those that can become the target, by their names. Links are not followed, and the
 * folder of results is left out.
 */
export async function planTree(
  folder: string,
  { output, to }: Pick<ConvertRequest, 'output' | 'to'>,
  formats: readonly Format[],
): Promise<Plan> {
  const results = output === undefined ? undefined : resolve(output)
  const isResult = (path: string) => results !== resolve(folder) && resolve(path).startsWith(`${results}/`)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found = files.filter((path) => results === undefined || !isResult(path)).sort()
  const fitting = found.filter((path) => canBecome(path, to, formats))
  // As `cp -r` does: the folder itself is part of the tree.
  const tree = /^\.*$/.test(basename(folder)) ? '' : basename(folder)
  const items = fitting.map((path): Item => {
    const place = output === undefined ? dirname(path) : join(output, tree, relative(folder, dirname(path)))
    const name = `${splitName(basename(path), formats).stem}.${to}`
    return { source: path, output: join(place, name), keepsDates: true }
  })
  return { items, skipped: found.length - fitting.length }
}

/** A file that has the format already is left alone. */
function canBecome(path: string, to: string, formats: readonly Format[]): boolean {
  const source = formatNamed(formats, splitName(basename(path), formats).ending)
  const target = formatNamed(formats, to)
  // An unknown target is refused by the service, in its words.
  return !target || (source !== undefined && source !== target && source.targets.includes(target.extension))
}
