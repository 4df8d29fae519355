/** The tables of `letters.json`: which letters each language has, and in which character sets. */
import { readFileSync } from 'node:fs'

/** A language: its letters, and the costs of each after each other, row by row, in quarters from `0`. */
interface Language {
  letters: string
  costs: string
}

/** A character set. `high` has the letters of one byte, from 0x80; sets of several bytes lack it. */
interface CharacterSet {
  languages: readonly string[]
  high?: string
  /** How rare the set is, in texts and in names of archives. */
  text: number
  name: number
}

interface Data {
  languages: Record<string, Language>
  /** East Asian characters by their cost, in halves. */
  characters: Record<string, Record<string, string>>
  sets: Record<string, CharacterSet>
}

let loaded: ReturnType<typeof load> | undefined

/** The tables, which only texts need that are not UTF-8. */
export const tables = () => (loaded ??= load())

function load() {
  const data: Data = JSON.parse(readFileSync(new URL('letters.json', import.meta.url), 'utf8'))
  const models = new Map(Object.entries(data.languages).map(([name, language]) => [name, modelOf(language)] as const))
  const wides = new Map(Object.entries(data.characters).map(([name, levels]) => [name, costsOf(levels)] as const))
  return { sets: data.sets, models, wides }
}

function modelOf({ letters, costs }: Language) {
  const index = new Map(Array.from(letters, (letter, at) => [letter, at] as const))
  const table = Uint8Array.from(Buffer.from(costs), (digit) => digit - 48)
  return { index, table, size: index.size, isLatin: !/[\u0370-\u0eff]/.test(letters) }
}

function costsOf(levels: Record<string, string>): Map<string, number> {
  const costs = new Map<string, number>()
  for (const [cost, list] of Object.entries(levels)) for (const one of list) costs.set(one, Number(cost) / 2)
  return costs
}
