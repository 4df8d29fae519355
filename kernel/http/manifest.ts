import type { FormatFacts } from '../catalogue/catalogue.ts'

/** Of the formats that an installed page may open. Chromium ignores more. */
const MAX_EXTENSIONS = 300

/**
 * Completes the web app manifest of the page with the operator's name, and with the formats that an installed page
 * offers to open.
 */
export function manifestOf(manifest: object, name: string, formats: readonly FormatFacts[]): object {
  const readable = formats.filter((format) => format.readable)
  const endings = [
    ...readable.map(({ mimeType, extension }) => [mimeType, extension] as const),
    ...readable.flatMap(({ mimeType, aliases }) => aliases.map((alias) => [mimeType, alias] as const)),
  ]
  const extensions = endings
    // Systems know only the last part of a name, and types without parameters.
    .filter(([mimeType, each]) => /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) && /^[a-z0-9]+$/.test(each))
    .slice(0, MAX_EXTENSIONS)
  const byType = Map.groupBy(extensions, ([mimeType]) => mimeType)
  const accept = [...byType].map(([mimeType, each]) => [mimeType, each.map(([, extension]) => `.${extension}`)])
  return {
    name,
    short_name: name,
    ...manifest,
    file_handlers: [{ action: '../', accept: Object.fromEntries(accept) }],
  }
}
