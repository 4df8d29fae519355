/** Whether a text can be an identifier or a storage key at all: ASCII, 1 to 255 characters. Spares the database the rest. */
export const isKey = (text: string) => /^[A-Za-z0-9._/-]{1,255}$/.test(text)

/**
 * What a client calls a file, made fit for people: the last path segment without control and direction characters,
 * 1 to 255 characters.
 */
export function displayName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  const clean = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim()
  const short = [...clean].slice(0, 200).join('')
  return /^\.*$/.test(short) ? 'file' : short
}

/** What stands behind the last dot of a name, both parts of `tar.gz` and its like; '' without one. */
export const extensionOf = (name: string) => /(?<=.)\.((?:tar\.)?[^.]{1,12})$/i.exec(name)?.[1] ?? ''

/** The display name without the extension that one of these formats has. */
export function stemOf(name: string, extensions: readonly string[]): string {
  const lower = name.toLowerCase()
  const known = extensions.find((extension) => lower.endsWith(`.${extension}`) && lower.length > extension.length + 1)
  const stem = known ? name.slice(0, -known.length - 1) : name.replace(/(?<=.)\.[^.]{1,12}$/, '')
  return [...stem].slice(0, 100).join('') || 'file'
}

/**
 * Where a conversion's result is or would be: a file of its target, or a zip of pages. One that failed can have one
 * too, when the service was killed between storing it and recording that.
 */
export function outputKey(row: { id: string; name: string; created_at: number }, extension: string): string {
  return storageKey('outputs', row.id.replace('conv_', ''), row.name, extension, Number(row.created_at))
}

/** `uploads/2026/11/21/<id>/<safe name>.<extension>`: letters, digits, `.`, `_` and `-` only, at most 200 characters. */
export function storageKey(
  area: 'uploads' | 'outputs',
  id: string,
  stem: string,
  extension: string,
  at: number,
): string {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')
  const safe = stem
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)
  return `${area}/${day}/${id}/${safe || 'file'}.${extension}`
}
