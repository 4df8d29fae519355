import type { Options, OptionsSchema } from '../../client/client.ts'

type Key = string

/** Returns the options that have an effect on this target and that no rule always refuses. */
export function usefulOptions({ properties, allOf = [] }: OptionsSchema): Key[] {
  const impossible = allOf.filter(({ not }) => not.required.length === 1).map(({ not }) => not.required[0])
  return Object.keys(properties).filter((key) => properties[key]!['x-effect'] !== false && !impossible.includes(key))
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

/** Values of several options under one name. */
export interface Preset {
  name: 'smaller' | 'balanced' | 'best' | 'mail'
  options: Options
}

/** Kilobytes that every mail provider accepts as an attachment, which grows by a third when it is encoded. */
const MAIL = 10_000

/** Values of each preset, by the first of these options that a target has. */
const PRESETS: readonly { has: Key; presets: readonly Preset[] }[] = [
  {
    has: 'quality',
    presets: [
      { name: 'smaller', options: { quality: 60 } },
      { name: 'balanced', options: {} },
      { name: 'best', options: { quality: 95 } },
    ],
  },
  {
    has: 'crf',
    presets: [
      { name: 'smaller', options: { crf: 30 } },
      { name: 'balanced', options: {} },
      { name: 'best', options: { crf: 17 } },
    ],
  },
  {
    has: 'bitrate',
    presets: [
      { name: 'smaller', options: { bitrate: 96 } },
      { name: 'balanced', options: {} },
      { name: 'best', options: { bitrate: 256 } },
    ],
  },
]

/** Returns the presets of a target, from the options that have an effect on it. */
export function presetsOf(useful: readonly Key[]): Preset[] {
  const known = PRESETS.find(({ has }) => useful.includes(has))?.presets ?? []
  const mail: Preset[] = useful.includes('targetSizeKb') ? [{ name: 'mail', options: { targetSizeKb: MAIL } }] : []
  return [...known, ...mail]
}

export const isSame = (a: Options, b: Options) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
