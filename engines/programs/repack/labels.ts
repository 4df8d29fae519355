import { attributesOf } from '../text/markup.ts'

/** A level of a numbering (ECMA-376 part 1, §17.9.6). */
interface Level {
  start: number
  format: string
  text: string
  legal: boolean
  /** The style whose paragraphs have this level, if they name none. */
  style: string | undefined
}

/** A numbering that paragraphs name by its id. */
interface Numbering {
  /** Numberings with the same abstract one count together. */
  abstract: string
  levels: readonly Level[]
  /** Where levels start anew when the numbering is first used. */
  starts: ReadonlyMap<number, number>
}

/** What a paragraph says about its place in a list. */
export interface Place {
  numId: string
  level: number | undefined
  style: string | undefined
}

/** An item: the numbering in which a reader counts it, its level, and its number as it is shown. */
export interface Item {
  numId: string
  level: number
  /** Empty if nothing is shown; undefined for a bullet. */
  label: string | undefined
}

const DEEPEST = 9
const ABSTRACT = /<w:abstractNum\s([^<>]*)>(.*?)<\/w:abstractNum>/gs
const NUM = /<w:num\s([^<>]*)>(.*?)<\/w:num>/gs
const LEVEL = /<w:lvl\s([^<>]*)>(.*?)<\/w:lvl>/gs
const OVERRIDE = /<w:lvlOverride\s([^<>]*)>(.*?)<\/w:lvlOverride>/gs

/** The attribute `w:val` of an element in a piece of XML. */
export const valueIn = (xml: string, element: string) =>
  attributesOf(new RegExp(`<w:${element}\\s[^<>]*>`).exec(xml)?.[0] ?? '').get('w:val')

const numberOf = (text: string | undefined, otherwise: number) => {
  const number = Number(text)
  return text !== undefined && Number.isSafeInteger(number) ? number : otherwise
}

const levelOf = (attributes: string) => {
  const level = numberOf(attributesOf(attributes).get('w:ilvl'), -1)
  return level >= 0 && level < DEEPEST ? level : undefined
}

function levelsOf(xml: string): Level[] {
  const levels: Level[] = []
  for (const [, attributes = '', content = ''] of xml.matchAll(LEVEL)) {
    const level = levelOf(attributes)
    if (level === undefined) continue
    levels[level] = {
      start: numberOf(valueIn(content, 'start'), 0),
      format: valueIn(content, 'numFmt') ?? 'decimal',
      text: valueIn(content, 'lvlText') ?? '',
      legal: /<w:isLgl\s*\/>/.test(content),
      style: valueIn(content, 'pStyle'),
    }
  }
  return levels
}

/** The numberings of a document by id, from its part `numbering.xml`. */
function numberingsOf(xml: string): Map<string, Numbering> {
  const end = Math.max(xml.lastIndexOf('</w:num>'), xml.lastIndexOf('</w:abstractNum>'))
  const whole = xml.slice(0, Math.max(end, 0) + 20)
  const abstracts = new Map<string, Level[]>()
  for (const [, attributes = '', content = ''] of whole.matchAll(ABSTRACT))
    abstracts.set(attributesOf(attributes).get('w:abstractnumid') ?? '', levelsOf(content))
  const found = new Map<string, Numbering>()
  for (const [, attributes = '', content = ''] of whole.matchAll(NUM)) {
    const id = attributesOf(attributes).get('w:numid') ?? ''
    const abstract = valueIn(content, 'abstractNumId') ?? ''
    const own = levelsOf(content)
    const starts = new Map<number, number>()
    for (const [, of = '', override = ''] of content.matchAll(OVERRIDE)) {
      const level = levelOf(of)
      const start = valueIn(override, 'startOverride')
      if (level !== undefined && start !== undefined) starts.set(level, numberOf(start, 1))
    }
    // One with levels of its own counts by itself.
    const isOwn = own.some((level) => level)
    const levels = Object.assign([...(abstracts.get(abstract) ?? [])], own)
    found.set(id, { abstract: isOwn ? `${abstract} of ${id}` : abstract, levels, starts })
  }
  return found
}

/** Counts the items of numberings as Word does. Call it for each numbered paragraph, in their order. */
export function counter(xml: string): (place: Place) => Item | undefined {
  const numberings = numberingsOf(xml)
  const counts = new Map<string, number[]>()
  const lists = new Map<string, string[]>()
  const used = new Set<string>()
  return ({ numId, level: told, style }) => {
    const numbering = numberings.get(numId)
    const level = told ?? Math.max(0, numbering?.levels.findIndex((one) => one && one.style === style) ?? 0)
    const own = numbering?.levels[level]
    if (!numbering || !own) return undefined
    const count = counts.get(numbering.abstract) ?? []
    const list = lists.get(numbering.abstract) ?? []
    counts.set(numbering.abstract, count)
    lists.set(numbering.abstract, list)
    const key = `${numId} ${level}`
    const anew = used.has(key) ? undefined : numbering.starts.get(level)
    used.add(key)
    count[level] = anew ?? (count[level] === undefined ? own.start : count[level] + 1)
    if (anew !== undefined) list[level] = numId
    const current = list.slice(0, level + 1).findLast((id) => id !== undefined) ?? numId
    list[level] = current
    // Deeper levels begin again.
    count.length = level + 1
    list.length = level + 1
    return { numId: current, level, label: labelOf(numbering.levels, count, own) }
  }
}

const labelOf = (levels: readonly Level[], count: readonly number[], own: Level): string | undefined =>
  own.format === 'bullet'
    ? undefined
    : own.text.replace(/%([1-9])/g, (_, digit) => {
        const level = levels[digit - 1]
        const number = count[digit - 1] ?? level?.start ?? 1
        return level && level.format !== 'none' ? numeral(number, own.legal ? 'decimal' : level.format) : ''
      })

const ROMAN: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function roman(number: number): string {
  let left = Math.min(number, 4999)
  let text = ''
  for (const [value, letters] of ROMAN) for (; left >= value; left -= value) text += letters
  return text
}

/** A, …, Z, AA, BB, … (ECMA-376 part 1, §17.18.59). */
const letters = (number: number) =>
  number > 0
    ? String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.min(1 + Math.floor((number - 1) / 26), 20))
    : ''

/** A number in a format of Word. Those of other scripts are written in Western digits. */
function numeral(number: number, format: string): string {
  if (format === 'upperRoman') return roman(number)
  if (format === 'lowerRoman') return roman(number).toLowerCase()
  if (format === 'upperLetter') return letters(number)
  if (format === 'lowerLetter') return letters(number).toLowerCase()
  return format === 'decimalZero' && number < 10 ? `0${number}` : `${number}`
}
