import { basename } from 'node:path'
import { ConversionFailure } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** A file that programs can no longer reach by a path. */
interface File {
  /** Host path. */
  path: string
  /** Bytes. */
  size: number
}

/** What a leg made. */
export interface Product {
  /** One file, or the pages for the next leg. At least one. */
  files: readonly [File, ...File[]]
  /** Whether it is made of several pages: a zip, or several files. */
  paged: boolean
}

/** Converts a file of the first leg. `report` receives the fraction of it that is done, 0 to 1. */
export type ConvertFile = (file: File, report?: (fraction: number) => void) => Promise<Product>

/** Pattern of the names that the first leg of a detour gives to several pages. */
export const pagesPattern = (format: string): string => `page-%03d.${format}`

/** Takes the pages that a leg has made apart. Resolves to undefined if there are none. */
export async function takePages(format: string, sandbox: Sandbox): Promise<File[] | undefined> {
  const files: File[] = []
  for (;;) {
    const name = pagesPattern(format).replace('%03d', String(files.length + 1).padStart(3, '0'))
    const page = await sandbox.result(name)
    if (!page) return files.length > 0 ? files : undefined
    files.push(page)
  }
}

/** Converts each page by the last leg of a detour, and packs the results as a zip. The pages are in `/in`. */
export async function convertPages(
  pages: readonly File[],
  { to, name, report }: { to: string; name: string; report: (fraction: number) => void },
  sandbox: Sandbox,
  convert: ConvertFile,
): Promise<Product> {
  const digits = Math.max(3, String(pages.length).length)
  const packed = []
  for (const [index, page] of pages.entries()) {
    const made = await convert(page, (part) => report((index + part) / pages.length))
    if (made.paged) throw new ConversionFailure('CONVERSION_ERROR', 'The file has pages of several pages each')
    const number = String(index + 1).padStart(digits, '0')
    const file = `made-${number}.${to}`
    await sandbox.advance(basename(made.files[0].path), file)
    packed.push({ file, name: `${name.replaceAll(/[\\/]/g, '_')}-${number}.${to}` })
    await sandbox.clear()
  }
  return { files: [await sandbox.pack(packed)], paged: true }
}
