import { formatNamed } from '../client/format-named.ts'
import type { Format } from '../client/records.ts'
import { CommandError } from '../kernel/admin/command.ts'
import { nearest } from '../kernel/nearest.ts'

/** Finds a format that must be there. @param what For the message. @throws CommandError that names the nearest one. */
export function knownFormat(formats: readonly Format[], name: string, what: string): Format {
  const format = formatNamed(formats, name)
  if (format) return format
  const meant = nearest(
    name,
    formats.map(({ extension }) => extension),
    (length) => Math.max(1, length / 3),
  )
  throw new CommandError(
    `${what}: the service does not know the format "${name}"${meant ? `; did you mean ${meant}?` : '; athanor ls lists all.'}`,
  )
}

/** The endings of a file name, longest first: `tar.gz`, `gz`. */
export const endingsOf = (name: string): string[] =>
  name
    .split('.')
    .slice(1)
    .map((_, index, parts) => parts.slice(index).join('.'))

/** Splits a file name into its stem and its format: the longest ending that is one, else the last. */
export function splitName(name: string, formats: readonly Format[]): { stem: string; ending: string } {
  const endings = endingsOf(name)
  const ending = endings.find((each) => formatNamed(formats, each)) ?? endings.at(-1) ?? ''
  return { stem: ending ? name.slice(0, -ending.length - 1) : name, ending }
}
