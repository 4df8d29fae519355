import type { Options, OptionsSchema } from '../../client/client.ts'
import type { Problem } from '../state/item.ts'

type Key = string

/** Returns the options that have an effect on this target and that no rule always refuses. */
export function usefulOptions({ properties, allOf = [] }: OptionsSchema): Key[] {
  const impossible = allOf.filter(({ not }) => not.required.length === 1).map(({ not }) => not.required[0])
  return Object.keys(properties).filter((key) => properties[key]!['x-effect'] !== false && !impossible.includes(key))
}

/** Options that most people understand, in the order in which they are shown. */
export const MAIN: readonly Key[] = ['quality', 'crf', 'targetSizeKb', 'resolution']

/** Returns the options that are shown at once, and those behind a button. A few are shown at once. */
export function mainOptions(useful: readonly Key[]): { shown: readonly Key[]; more: readonly Key[] } {
  const shown = MAIN.filter((key) => useful.includes(key))
  if (!shown.length) return { shown: useful, more: [] }
  return { shown, more: useful.filter((key) => !shown.includes(key)) }
}

/** Returns how large audio of a constant bit rate becomes, in bytes; undefined if that cannot be known. */
export function sizeOf(
  options: Options,
  { properties }: OptionsSchema,
  seconds: number | undefined,
): number | undefined {
  const { bitrate, crf } = properties
  const rate = options.bitrate ?? bitrate?.default
  // A film has pictures, too.
  if (!seconds || crf || typeof rate !== 'number') return undefined
  return (seconds * rate * 1000) / 8
}

/** Returns the option that is already set and excludes this one; undefined if there is none. */
export function conflictOf(key: Key, { allOf = [] }: OptionsSchema, options: Options): Key | undefined {
  for (const { not } of allOf) {
    const { required, properties = {} } = not
    if (!required.includes(key)) continue
    const others = required.filter((name) => name !== key)
    const meets = (name: Key) =>
      options[name] !== undefined && (!properties[name] || properties[name].const === options[name])
    if (others.length && others.every(meets)) return others[0]
  }
  return undefined
}

/** Returns what the service says about an option that it refused. Its message begins with the name of the field. */
export function refusalOf(key: Key, { message, stale }: Problem): string | undefined {
  const [, option, text] = /^options\.(\w+) (.+)/.exec(message) ?? []
  return option === key && !stale ? `${text![0]!.toUpperCase()}${text!.slice(1)}.` : undefined
}

/**
 * The presets of a target. Without options, the format of the source is made smaller without loss, so that preset has
 * this name.
 */
export const presetsOf = ({ 'x-presets': presets = [] }: OptionsSchema, isSource: boolean) =>
  isSource && presets.length
    ? [
        ...presets.filter(({ options }) => Object.keys(options).length > 0),
        { name: 'lossless', title: 'Lossless', options: {} },
      ]
    : presets

export const isSame = (a: Options, b: Options) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
