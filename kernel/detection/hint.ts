import type { Format } from '../contract/format.ts'

/** What detection needs to know about a format. */
export interface Described extends Format {
  extension: string
}

/** A format with what the catalogue knows of its plugin. */
export interface KnownFormat extends Described {
  category: string
  /** Whether its plugin came from outside. */
  outside: boolean
}

/**
 * Makes a function that reads a file's name as a hint: its extension in lower case, made canonical; '' without one.
 * The last two parts count as one extension where a format has such a name and begins with the name of another.
 */
export function createHints(formats: readonly Described[]): (name: string) => string {
  const canonical = new Map<string, string>()
  for (const { extension, hints = [] } of formats) for (const hint of hints) canonical.set(hint, extension)
  for (const { extension, aliases = [] } of formats) for (const alias of aliases) canonical.set(alias, extension)
  for (const { extension } of formats) canonical.set(extension, extension)
  const stems = new Set(
    formats.map(({ extension }) => extension.split('.')).flatMap(([stem, more]) => (more ? [stem!] : [])),
  )
  return (name) => {
    const parts = name.slice(-255).toLowerCase().trim().split(/[/\\]/).at(-1)!.split('.')
    if (parts.length < 2) return ''
    const [stem, last] = [parts.at(-2)!, parts.at(-1)!]
    const both = parts.length > 2 && stems.has(stem) && canonical.has(stem) ? `${stem}.${last}` : last
    return canonical.get(both) ?? both
  }
}
