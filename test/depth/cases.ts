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
  'chart.svg>pdf',
  'pandoc.md>docx',
  'hand.fodp>pptx',
  'hand.fods>xlsx',
  'described.mp4>mkv',
  'flac.flac>mp3',
  'infozip.zip>tar.gz',
  'german.fb2>epub',
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

const shows = ({ family, specimen, pair }: Case) => [
  `pair ${pair.from}>${pair.to}`,
  `maker ${specimen.maker} of ${family.name}`,
  ...specimen.features.map((name) => `feature ${name} of ${family.name}`),
]

/**
 * Selects one case for each of the most used pairs, and further ones until each maker and each feature of each family
 * has one. Always the same for the same specimens.
 */
export function selected(cases: readonly Case[]): Case[] {
  const missing = new Set(cases.flatMap(shows).filter((token) => !token.startsWith('pair')))
  const chosen: Case[] = []
  const take = (some: readonly Case[], turn: number) => {
    const worth = (one: Case) => shows(one).filter((token) => missing.has(token)).length
    const max = Math.max(...some.map(worth))
    const best = some.filter((one) => worth(one) === max)
    const one = best[turn % best.length]!
    chosen.push(one)
    for (const token of shows(one)) missing.delete(token)
  }
  for (const [turn, key] of pairs.entries()) {
    const some = cases.filter(({ pair }) => `${pair.from}>${pair.to}` === key)
    if (some.length > 0) take(some, turn)
  }
  while (missing.size > 0) take(cases, 0)
  return chosen
}
