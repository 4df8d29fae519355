/**
 * How likely bytes are in each character set, by the frequencies of letter pairs and of East Asian characters in each
 * language. `likelihood.py` is the same in Python. Costs are negative logarithms of probabilities.
 */
import { tables } from './letters.ts'

/** Costs of what languages do not have, of a capital inside a word, and of two scripts in one word. */
const COST = { letter: 13, script: 16, symbol: 12.5, drawing: 14, invalid: 18, capital: 4, upper: 0.3, mixed: 12 }
const WIDE = { character: 1, rare: 13.5, kana: 12, half: 11, other: 16, invalid: 25, glued: 6, next: 2 }
/** Weights of letters of ASCII, which tell the language only, and what they cost at most. */
const WEIGHT = { pair: 0.35, foreign: 0.08, max: 25 }

const isLetter = (character: string) => /[\p{L}\p{M}]/u.test(character)
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** Letters in lower case, other ASCII as a digit or a space. */
function classOf(character: string): string {
  const lower = character.toLowerCase()
  if (character > '\x7f') return lower.length === 1 ? lower : character
  return /[a-z]/.test(lower) ? lower : /\d/.test(lower) ? '0' : ' '
}

function unknownCost(character: string, isLatin: boolean): number {
  if (character === '\ufffd') return COST.invalid
  if (isLetter(character)) return isLatin && character > '\u024f' ? COST.script : COST.letter
  return character >= '\u2500' && character < '\u2600' ? COST.drawing : COST.symbol
}

/** What a score needs to know about a character. */
function facts(character: string) {
  const kind = classOf(character)
  return {
    kind,
    isLetter: isLetter(character),
    isUpper: character > '\x40' && character !== kind,
    unknown: [unknownCost(character, false), unknownCost(character, true)],
  }
}

const characters = new Map<string, ReturnType<typeof facts>>()

function factsOf(character: string) {
  const known = characters.get(character) ?? facts(character)
  characters.set(character, known)
  return known
}

/** The same about the 256 bytes of a set. */
function columns(high: string) {
  const all = [...ASCII, ...high].map(factsOf)
  return {
    kinds: all.map(({ kind }) => kind),
    isLetter: all.map(({ isLetter }) => isLetter),
    isUpper: all.map(({ isUpper }) => isUpper),
    unknown: [0, 1].map((isLatin) => all.map(({ unknown }) => unknown[isLatin]!)),
  }
}

/** A pair of bytes, and how often it occurs. */
interface Pair {
  a: number
  b: number
  count: number
}

/** The pairs of bytes, the most frequent first: those of ASCII letters, and those with a byte above. */
function pairsOf(bytes: Buffer) {
  const counts = new Uint32Array(65_536)
  let before = 32
  for (const byte of bytes) {
    counts[(before << 8) | byte]!++
    before = byte
  }
  counts[(before << 8) | 32]!++
  const all: Pair[] = []
  for (let at = 0; at < counts.length; at++)
    if (counts[at]! > 0) all.push({ a: at >> 8, b: at & 255, count: counts[at]! })
  all.sort((one, other) => other.count - one.count)
  return { ascii: all.filter(({ a, b }) => (a | b) < 128), high: all.filter(({ a, b }) => (a | b) >= 128) }
}

/** What the ASCII letters cost in each language with Latin letters, and, under '', in others. */
function plainCosts(pairs: readonly Pair[]): Map<string, number> {
  const kinds = ASCII.map(classOf)
  const isWord = (code: number) => kinds[code]! > '9'
  const words = pairs.filter(({ a, b }) => isWord(a) || isWord(b))
  const costs = new Map<string, number>()
  for (const [name, { index, table, size, isLatin }] of tables().models) {
    if (!isLatin) continue
    const at = kinds.map((kind) => index.get(kind)!)
    let cost = 0
    for (const { a, b, count } of words) cost += count * table[at[a]! * size + at[b]!]!
    costs.set(name, cost / 4)
  }
  const least = Math.min(...costs.values())
  for (const [name, cost] of costs) costs.set(name, Math.min(WEIGHT.pair * (cost - least), WEIGHT.max))
  const letters = words.reduce((sum, { b, count }) => sum + (isWord(b) ? count : 0), 0)
  return costs.set('', Math.min(WEIGHT.foreign * letters, WEIGHT.max))
}

/** The cost of the pairs in a set of single bytes and a language. Stops above the `max` that is of interest. */
function narrowCost(
  { kinds, isLetter, isUpper, unknown }: ReturnType<typeof columns>,
  language: string,
  pairs: readonly Pair[],
  start: number,
  max: number,
): number {
  const { index, table, size, isLatin } = tables().models.get(language)!
  const missing = unknown[isLatin ? 1 : 0]!
  const at = kinds.map((kind) => index.get(kind) ?? -1)
  let cost = start
  for (const { a, b, count } of pairs) {
    const row = Math.max(at[a]!, 0)
    let one = at[b]! < 0 ? missing[b]! : table[row * size + at[b]!]! / 4
    if (isLetter[a] && isLetter[b]) {
      if (isUpper[b] && !isUpper[a]) one += COST.capital
      if (!isLatin && (a < 128 || b < 128)) one += COST.mixed
    }
    cost += (isUpper[b] ? one + COST.upper : one) * count
    if (cost > max) break
  }
  return cost
}

function wideCost(text: string, language: string, start: number, max: number): number {
  const known = tables().wides.get(language)!
  let cost = start
  let before = ' '
  for (const character of text) {
    if (character > '\x7f') {
      cost += known.has(character) ? known.get(character)! + WIDE.character : rareCost(character)
      if (/[a-z]/i.test(before)) cost += WIDE.glued
    } else if (before > '\x7f') cost += /[a-z]/i.test(character) ? WIDE.glued : WIDE.next
    if (cost > max) break
    before = character
  }
  return cost
}

function rareCost(character: string): number {
  if (character === '\ufffd') return WIDE.invalid
  if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(character)) return WIDE.rare
  if (/[\uff61-\uff9f]/.test(character)) return WIDE.half
  return /[\u3000-\u30ff\uff01-\uff5e]/.test(character) ? WIDE.kana : WIDE.other
}

/** The most likely set of bytes that are not UTF-8, of a text or of names. */
export function likeliest(bytes: Buffer, kind: 'text' | 'name'): string {
  const { ascii, high } = pairsOf(bytes)
  const plain = plainCosts(ascii)
  let best = { name: 'windows-1252', cost: Number.POSITIVE_INFINITY }
  for (const [name, set] of Object.entries(tables().sets)) {
    const letters = set.high && columns(set.high)
    const text = letters ? '' : new TextDecoder(name).decode(bytes)
    for (const language of set.languages) {
      const start = set[kind] + (plain.get(language) ?? plain.get('')!)
      const cost = letters
        ? narrowCost(letters, language, high, start, best.cost)
        : wideCost(text, language, start, best.cost)
      if (cost < best.cost) best = { name, cost }
    }
  }
  return best.name
}
