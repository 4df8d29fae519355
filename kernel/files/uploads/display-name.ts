/**
 * Cleans a client's file name for display: the last path segment without control and text-direction characters,
 * 1 to 200 characters.
 */
export function displayName(name: string): string {
  const clean = name
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu, '')
    // Last, since what was removed could keep a letter and its accent apart.
    .normalize('NFC')
    .trim()
  const short = [...clean].slice(0, 200).join('')
  return /^\.*$/.test(short) ? 'file' : short
}

/** Returns the part after the last dot of a name, or both parts of `tar.gz` and similar; '' if there is no dot. */
export const extensionOf = (name: string) => /(?<=.)\.((?:tar\.)?[^.]{1,12})$/i.exec(name)?.[1] ?? ''

/** Returns the display name without one of these extensions, or without its last extension; at most 100 characters. */
export function stemOf(name: string, extensions: readonly string[]): string {
  const lower = name.toLowerCase()
  const known = extensions.find((extension) => lower.endsWith(`.${extension}`) && lower.length > extension.length + 1)
  const stem = known ? name.slice(0, -known.length - 1) : name.replace(/(?<=.)\.[^.]{1,12}$/, '')
  return [...stem].slice(0, 100).join('') || 'file'
}
