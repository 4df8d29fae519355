import type { Catalogue } from '../../kernel/catalogue/catalogue.ts'
import { enginesOfRoute, isDirect, leaderOf } from '../../kernel/catalogue/manifest/route.ts'
import type { Pair, UsableRoute } from '../../kernel/catalogue/pairs.ts'

/** One conversion of the matrix: a pair by one of its routes. */
export interface Case {
  /** `png>jpg`, or `png>jpg#1` for the route that is tried if the engine of the first one refuses. */
  key: string
  pair: Pair
  method: UsableRoute
}

const caseOf = (pair: Pair, index: number): Case => ({
  key: `${pair.from}>${pair.to}${index ? `#${index}` : ''}`,
  pair,
  method: pair.methods[index]!,
})

/** Name in the catalogue of the engine that a case tests. */
export const engineOf = ({ method: { route } }: Case): string =>
  isDirect(route) ? leaderOf(route).name : `via ${route.via}`

/**
 * Returns what a case proves: that its source is read, its target is written and its engines run, each by the first,
 * second … route of the pair. So the parts cover the routes that a plugin combines from readers and writers.
 */
function shows({ pair, method: { route } }: Case, way: number): string[] {
  const engines = enginesOfRoute(route)
  const leads = isDirect(route) ? leaderOf(route).name : `via ${route.via}`
  return [
    `from ${pair.from} #${way}`,
    `to ${pair.to} #${way}`,
    `to ${pair.to} by ${leads}`,
    ...engines.map(({ name }) => name),
    ...(pair.from === pair.to ? [`optimise ${pair.to} by ${leads}`] : []),
  ]
}

/**
 * Selects a small part of the matrix that covers every source, every target, every optimisation, every engine and every
 * route: greedy, in a fixed order, so that it is the same on every machine with the same engines. `sampled` lists the
 * sources that have a sample.
 */
export function covering(catalogue: Catalogue, sampled: readonly string[]): Case[] {
  const cases = everyWay(catalogue).filter(({ pair }) => sampled.includes(pair.from))
  const tokens = new Map(cases.map((one) => [one, shows(one, one.pair.methods.indexOf(one.method))]))
  const missing = new Set([...tokens.values()].flat())
  const chosen: Case[] = []
  // First the cases that cover most; later passes add those that cover less.
  for (let worth = 8; worth > 0; worth--)
    for (const one of cases) {
      const fresh = tokens.get(one)!.filter((token) => missing.has(token))
      if (fresh.length < worth) continue
      chosen.push(one)
      for (const token of fresh) missing.delete(token)
    }
  return chosen
}

/** CPU time of programs that start slowly or encode films, in units of what others take. */
const prices: Readonly<Record<string, number>> = {
  libreoffice: 15,
  calibre: 20,
  chromium: 20,
  inkscape: 12,
  freecad: 20,
  ocr: 15,
  pandoc: 5,
  ffmpeg: 2,
  openscad: 3,
  asciidoctor: 4,
  ghostscript: 2,
  'magick-wasm': 3,
  gstreamer: 3,
}

/**
 * Pairs whose samples need engines that run for some files only: one writes covers, one keeps what is small already.
 */
const first = ['mp3>ogg', 'mp3>mp3']

/** A case, what it costs, and what it shows. */
interface Offer {
  one: Case
  price: number
  tokens: readonly string[]
}

/**
 * Selects a small part, for every run of the tests: each source, each target, each optimisation and each engine once.
 * Greedy, so that the next case is the first of those that show most for their price, and then made cheaper.
 */
export function sampling(catalogue: Catalogue, sampled: readonly string[]): Case[] {
  const direct = (key: string) => catalogue.pairs.get(key)!.methods.find(({ route }) => isDirect(route))!.route
  const enginesOf = ({ pair: { from, to }, method: { route } }: Case) =>
    (isDirect(route) ? [route] : [direct(`${from}>${route.via}`), direct(`${route.via}>${to}`)]).flatMap(enginesOfRoute)
  const offers = everyWay(catalogue)
    .filter(({ pair }) => sampled.includes(pair.from))
    .map((one): Offer => {
      const { pair, method } = one
      const names = enginesOf(one).map(({ name }) => name)
      const price = names.reduce((sum, name) => sum + (prices[name] ?? 1), pair.plugin.category === 'video' ? 9 : 0)
      // The first route is what people get.
      const rank = pair.methods.indexOf(method)
      const optimises = pair.from === pair.to ? [`optimise ${pair.to}`] : []
      const tokens = [`from ${pair.from}`, `to ${pair.to}`, ...optimises, ...names]
      return { one, price: price + rank, tokens: [...new Set(tokens)] }
    })
  const chosen = offers.filter(({ one }) => first.includes(one.key))
  const missing = shownBy(offers).difference(shownBy(chosen))
  while (missing.size > 0) {
    const worths = offers.map(({ tokens, price }) => tokens.filter((token) => missing.has(token)).length / price)
    const best = offers[worths.indexOf(Math.max(...worths))]!
    chosen.push(best)
    for (const token of best.tokens) missing.delete(token)
  }
  return cheaper(chosen, offers).map(({ one }) => one)
}

const shownBy = (offers: readonly Offer[]) => new Set(offers.flatMap(({ tokens }) => tokens))

/** Leaves out what others show as well, and takes one for several that show nothing else, while that is cheaper. */
function cheaper(chosen: readonly Offer[], offers: readonly Offer[]): readonly Offer[] {
  const counts = new Map<string, number>()
  const count = ({ tokens }: Offer, by: 1 | -1) => {
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + by)
  }
  for (const offer of chosen) count(offer, 1)
  const isFixed = ({ one }: Offer) => first.includes(one.key)
  const needed = chosen.filter((offer) => {
    if (isFixed(offer) || offer.tokens.some((token) => counts.get(token) === 1)) return true
    count(offer, -1)
    return false
  })
  const alone = needed.map(({ tokens }) => tokens.filter((token) => counts.get(token) === 1))
  let most = 0
  let best: readonly Offer[] = needed
  for (const offer of offers) {
    const gone = needed.filter(
      (other, at) => !isFixed(other) && alone[at]!.every((token) => offer.tokens.includes(token)),
    )
    const saved = gone.reduce((sum, { price }) => sum + price, -offer.price)
    if (gone.length < 2 || saved <= most) continue
    const rest = [...needed.filter((other) => !gone.includes(other)), offer]
    if (shownBy(rest).size < shownBy(needed).size) continue
    most = saved
    best = rest
  }
  return most > 0 ? cheaper(best, offers) : needed
}

/** Every pair by every route, in a fixed order. */
function everyWay(catalogue: Catalogue): Case[] {
  return [...catalogue.pairs.values()]
    .filter((pair) => pair.methods.length > 0)
    .sort((a, b) => (`${a.from}>${a.to}` < `${b.from}>${b.to}` ? -1 : 1))
    .flatMap((pair) => pair.methods.map((_, index) => caseOf(pair, index)))
}

/** Every pair by its preferred route, and the covering cases of the other routes. */
export function whole(catalogue: Catalogue, sampled: readonly string[]): Case[] {
  const preferred = everyWay(catalogue).filter(({ pair, method }) => method === pair.methods[0])
  const others = covering(catalogue, sampled).filter(({ pair, method }) => method !== pair.methods[0])
  return [...preferred, ...others]
}
