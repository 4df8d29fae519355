import type { Format } from '../contract/format.ts'

/** A format with its canonical extension, as detection needs it. */
export interface Described extends Format {
  extension: string
}

/** A format with the catalogue's data about its plugin. */
export interface KnownFormat extends Described {
  category: string
  /** Whether its plugin is external, not built in. */
  outside: boolean
}

/**
 * Makes a function that turns a file name into a hint: its extension in lower case, made canonical; '' if it has none.
 * The last two parts count as one extension if the first of them is a format that compound extensions start with, as
 * `tar` in `tar.gz`.
 */
export function createHints(formats: readonly Described[]): (name: string) => string {
  const canonical = new Map<string, string>()
  for (const { extension, hints = [] } of formats) for (const hint of hints) canonical.set(hint, extension)
  for (const { extension, aliases = [] } of formats) for (const alias of aliases) canonical.set(alias, extension)
  for (const { extension } of formats) canonical.set(extension, extension)
  const stems = new Set(
    formats
      .map(({ extension }) => extension.split('.'))
      .flatMap(([stem, more]) => (stem !== undefined && more ? [stem] : [])),
  )
  return (name) => {
    const parts = name
      .slice(-255)
      .toLowerCase()
      .trim()
      .replace(/^.*[/\\]/s, '')
      .split('.')
    const [last = '', stem] = parts.toReversed()
    if (stem === undefined) return ''
    const both = parts.length > 2 && stems.has(stem) && canonical.has(stem) ? `${stem}.${last}` : last
    return canonical.get(both) ?? both
  }
}
