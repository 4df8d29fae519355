import type { Catalogue } from '../../kernel/catalogue/catalogue.ts'
import type { Pair } from '../../kernel/catalogue/pairs.ts'
import type { Family, Specimen } from './family.ts'
import { pairs } from './pairs.ts'

/** One conversion: a specimen by a pair. */
export interface Case {
  /** `cmyk.jpg>png`. */
  key: string
  family: Family
  specimen: Specimen
  pair: Pair
}

/** A case of each family, for every run of the tests: specimens of many features, with targets that keep them. */
export const few = [
  'turned-p3.jpg>png',
  'nodes.gltf>glb',
  'cairo.svg>pdf',
  'pandoc.md>docx',
  'hand.fodp>pptx',
  'hand.fods>xlsx',
  'described.mp4>mkv',
  'tagged.flac>mp3',
]

/** Returns each specimen with the most used targets of its format and the canonical ones, in a fixed order. */
export function casesOf(family: Family, specimens: readonly Specimen[], catalogue: Catalogue): Case[] {
  return specimens.flatMap((specimen) => {
    const { from, name } = specimen
    const used = pairs.filter((pair) => pair.startsWith(`${from}>`)).map((pair) => pair.slice(from.length + 1))
    const targets = [...new Set([...used, ...family.canonical(from)])]
    return targets.flatMap((to) => {
      const pair = catalogue.pairs.get(`${from}>${to}`)
      const isUsable = pair && pair.methods.length > 0 && (family.suits?.(specimen, to) ?? true)
      return isUsable ? [{ key: `${name}>${to}`, family, specimen, pair }] : []
    })
  })
}

/** What a case proves: that its specimen converts, and each feature that its target keeps. */
const shows = ({ family, specimen, pair }: Case) => [
  `${family.name}: ${specimen.name}`,
  ...family.features
    .filter(({ name, rule }) => specimen.features.includes(name) && rule(pair.from, pair.to) === 'kept')
    .map(({ name }) => `${family.name}: kept ${name}`),
]

/**
 * Selects a case for each of the most used pairs, with its specimens in turn, and further ones until each specimen is
 * converted and each feature kept.
 */
export function selected(cases: readonly Case[]): Case[] {
  const chosen = pairs.flatMap((key, turn) => {
    const some = cases.filter(({ pair }) => `${pair.from}>${pair.to}` === key)
    return some.length > 0 ? [some[turn % some.length]!] : []
  })
  const missing = new Set(cases.flatMap(shows)).difference(new Set(chosen.flatMap(shows)))
  for (const one of cases)
    if (shows(one).some((token) => missing.has(token))) {
      chosen.push(one)
      for (const token of shows(one)) missing.delete(token)
    }
  return chosen
}
