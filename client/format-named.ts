import type { Format } from './records.ts'

/** Finds a format by its name or an alias, whatever the case of the letters. Undefined: it is not there. */
export function formatNamed(formats: readonly Format[], name: string): Format | undefined {
  const wanted = name.toLowerCase()
  return formats.find(({ extension, aliases }) => extension === wanted || aliases.includes(wanted))
}
