import type { Format } from '../../client/client.ts'
import { SAME } from '../state/wanted.ts'
import { isKnown, purposeOf, rankOf } from './names.ts'
import type { Words } from './words.ts'

type Formats = ReadonlyMap<string, Pick<Format, 'category' | 'aliases'>>

/** Targets under one heading. */
export interface Group {
  /** `wanted`, a category, `more`, or `found` by a search. */
  id: string
  targets: readonly string[]
}

/** The usual order of the categories; others follow. */
const CATEGORIES = ['document', 'image', 'video', 'audio', 'ebook', 'archive', 'vector', 'cad']

/**
 * Returns targets in groups, each once: those that are often wanted, then those that people know by category, the one
 * of the source first. The last group has those that few people know.
 */
export function groupTargets(
  targets: readonly string[],
  wanted: readonly string[],
  category: string | undefined,
  formats: Formats,
): Group[] {
  const often = wanted.filter((target) => targets.includes(target))
  const others = targets.filter((target) => !often.includes(target))
  const place = (id: string) => (id === category ? -1 : (CATEGORIES.indexOf(id) + 99) % 99)
  const known = others.filter((target) => target === SAME || isKnown(target)).toSorted(byRank)
  const categories = Map.groupBy(known, (target) => formats.get(target)?.category ?? category ?? '')
  const groups = [
    { id: 'wanted', targets: often },
    ...[...categories].sort(([a], [b]) => place(a) - place(b)).map(([id, found]) => ({ id, targets: found })),
    { id: 'more', targets: others.filter((target) => !known.includes(target)).toSorted(byRank) },
  ]
  return groups.filter((group) => group.targets.length > 0)
}

const byRank = (a: string, b: string) => rankOf(a) - rankOf(b) || a.localeCompare(b)

/**
 * Returns the targets that match a search, best first: by code, by what people say in their language or in English, by
 * purpose or category. Equal matches are ordered by how often they are wanted.
 */
export function searchTargets(
  targets: readonly string[],
  query: string,
  formats: Formats,
  languages: readonly Words[],
  categoryName: (category: string) => string,
): string[] {
  const asked = plain(query).replace(/^\./, '').split(/\s+/).filter(Boolean)
  const scores = new Map<string, number>()
  for (const target of targets) {
    const { aliases = [], category = '' } = formats.get(target) ?? {}
    const codes = target === SAME ? [] : [target, ...target.split('.'), ...aliases].map(plain)
    const said = languages.flatMap((words) => wordsOf(words[`search.${target}` as keyof Words] ?? ''))
    const purposes = languages.flatMap((words) => wordsOf(purposeOf(target, words)))
    const each = asked.map((word) => scoreOf(word, codes, said, [...purposes, ...wordsOf(categoryName(category))]))
    if (each.every((score) => score < NONE)) scores.set(target, Math.max(...each))
  }
  return [...scores.keys()].sort((a, b) => scores.get(a)! - scores.get(b)! || byRank(a, b))
}

const NONE = 6

/** Returns how well a word matches a target; the lower, the better. */
function scoreOf(word: string, codes: readonly string[], said: readonly string[], other: readonly string[]): number {
  const begins = (text: string) => text.startsWith(word)
  if (codes[0] === word) return 0
  if (codes.includes(word) || said.includes(word)) return 1
  if (codes.some(begins)) return 2
  if (said.some(begins)) return 3
  if (other.some(begins)) return 4
  // Languages without spaces, and words that are put together.
  if ([...codes, ...said].some((text) => text.includes(word) || (text.length > 3 && word.includes(text)))) return 5
  return NONE
}

const wordsOf = (text: string) =>
  plain(text)
    .split(/[\s,、，・/]+/)
    .filter(Boolean)

/** Returns a text as it is compared: lower case, without accents. */
const plain = (text: string) => text.trim().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
