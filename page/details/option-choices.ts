import type { Options, OptionsSchema } from '../../client/client.ts'
import type { Item, Problem } from '../state/item.ts'

type Key = string

/** Returns the options that have an effect on this target, together with those that are set. */
export function usefulOptions({ properties, allOf = [] }: OptionsSchema, options: Options): Key[] {
  const impossible = allOf.filter(({ not }) => not.required.length === 1).map(({ not }) => not.required[0])
  const { maxWidth, maxHeight } = options
  return Object.keys(properties).filter((key) => {
    if (properties[key]!['x-effect'] === false || impossible.includes(key)) return false
    // Only a box of two sides can have another shape than the picture.
    return key !== 'fit' || (maxWidth !== undefined && maxHeight !== undefined)
  })
}

/** Options that most people understand, in the order in which they are shown. Only of audio, the bit rate is one. */
const MAIN: readonly Key[] = ['quality', 'crf', 'targetSizeKb', 'resolution']

/** Returns the options that are shown at once, and those behind a button. A few are shown at once. */
export function mainOptions(useful: readonly Key[]): { shown: readonly Key[]; more: readonly Key[] } {
  const main = useful.includes('crf') ? MAIN : [...MAIN, 'bitrate']
  const shown = main.filter((key) => useful.includes(key))
  if (!shown.length) return { shown: useful, more: [] }
  return { shown, more: useful.filter((key) => !shown.includes(key)) }
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

/** A limit of a size has an effect on files that can become as large: a result is seldom four times its source. */
const MAX_GROWTH = 4

/**
 * Returns the presets of a target. Some targets are lossless without options, as the format of the source is: that
 * preset has this name. Where it is so for each source, the best of the others is worse.
 */
export function presetsOf({ 'x-presets': presets = [], properties }: OptionsSchema, { to, size, upload }: Item) {
  const able = presets.filter(
    ({ options: { targetSizeKb } }) => !targetSizeKb || size * MAX_GROWTH > Number(targetSizeKb) * 1000,
  )
  const isLossless = properties.quality !== undefined && properties.quality.default === undefined
  if (!able.length || (to !== upload!.file.format && !isLossless)) return able
  const lesser = able.filter(({ name, options }) => Object.keys(options).length && !(isLossless && name === 'best'))
  return [...lesser, { name: 'lossless', title: 'Lossless', options: {} }]
}

export const isSame = (a: Options, b: Options) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
