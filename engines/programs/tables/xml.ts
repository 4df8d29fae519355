import { Refusal } from '../refusal/refusal.ts'
import { inElement, unescaped } from '../text/markup.ts'
import { isNotation, textOf } from './cell.ts'
import { isDictionary } from './records.ts'

const DEPTH = 256

type Element = Record<string, unknown>

/** Names with their values, and whatever else there is, so that no part is searched twice. */
const ATTRIBUTES = /"[^"]*"|'[^']*'|([^\s="']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g

/**
 * Reads XML as records: elements by name, repeated names as a list, attributes as `@name`, text next to elements as
 * `#text`. The document type and its entities are ignored.
 *
 * Strict parsers refuse what people write by hand, such as a bare `&` and attributes without quotes.
 */
export function readXml(text: string): Element {
  // What is not closed reaches the end, and is searched once.
  const tokens =
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<![^>]*>?|<(\/?)([^\s/>]+)((?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)(>?)|([^<]+)/g
  const stack: { name: string; value: Element; text: string }[] = [{ name: '', value: {}, text: '' }]
  for (const [, cdata, closing, name, attributes, end, plain] of text.matchAll(tokens)) {
    const open = stack.at(-1)!
    if (plain !== undefined) open.text += unescaped(plain)
    else if (cdata !== undefined) open.text += cdata
    else if (name === undefined) continue
    else if (!end) throw new Refusal('The XML is not well-formed')
    else if (closing) {
      if (stack.length < 2 || open.name !== name) throw new Refusal('The XML is not well-formed')
      stack.pop()
      add(stack.at(-1)!.value, name, contentOf(open))
    } else {
      const value: Element = {}
      for (const [, key, one, two] of attributes!.matchAll(ATTRIBUTES))
        if (key && (one ?? two) !== undefined) define(value, `@${key}`, unescaped(one ?? two!))
      if (attributes!.endsWith('/')) add(open.value, name, contentOf({ value, text: '' }))
      else if (stack.push({ name, value, text: '' }) > DEPTH) throw new Refusal('The XML is nested too deeply')
    }
  }
  if (stack.length !== 1 || Object.keys(stack[0]!.value).length !== 1) throw new Refusal('The XML is not well-formed')
  return stack[0]!.value
}

function contentOf({ value, text }: { value: Element; text: string }): unknown {
  if (Object.keys(value).length === 0) return withoutLayout(text)
  const content = text.trim()
  return content ? { ...value, '#text': content } : value
}

/** White space with a line break is layout; blanks of a value are part of it. */
function withoutLayout(text: string): string {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  const from = text.slice(0, start).includes('\n') ? start : 0
  return text.slice(from, Math.max(from, text.slice(end).includes('\n') ? end : text.length))
}

const define = (target: Element, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })

function add(target: Element, name: string, value: unknown): void {
  if (!Object.hasOwn(target, name)) define(target, name, value)
  else if (Array.isArray(target[name])) (target[name] as unknown[]).push(value)
  else define(target, name, [target[name], value])
}

/** Replaces characters that are invalid in XML names (XML 1.0, §2.3). */
const nameOf = (key: string) => {
  const name = key.replace(/[^\p{L}\p{N}._-]/gu, '_')
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`
}

/** Writes any value as XML. The items of a list become elements of the same name, or `item`. */
export function writeXml(value: unknown): string {
  const single = isDictionary(value) && Object.keys(value).length === 1
  const [name, content] = single ? Object.entries(value)[0]! : ['root', value]
  const body =
    single && !Array.isArray(content)
      ? element(name, content, 0)
      : `<root>\n${Array.isArray(content) ? listed(single ? name : 'item', content, 1) : members(content, 1)}</root>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`
}

const listed = (name: string, list: unknown[], depth: number): string =>
  list.map((item) => element(name, item, depth)).join('')

function element(key: string, value: unknown, depth: number): string {
  const name = nameOf(key)
  const indent = '  '.repeat(depth)
  if (Array.isArray(value)) return `${indent}<${name}>\n${listed('item', value, depth + 1)}${indent}</${name}>\n`
  if (isLeaf(value)) return `${indent}<${name}>${inElement(textOf(value))}</${name}>\n`
  return `${indent}<${name}>\n${members(value, depth + 1)}${indent}</${name}>\n`
}

const isLeaf = (value: unknown) => typeof value !== 'object' || value === null || isNotation(value)

const members = (value: unknown, depth: number): string =>
  isLeaf(value)
    ? `${'  '.repeat(depth)}<value>${inElement(textOf(value))}</value>\n`
    : Object.entries(value as Element)
        .map(([key, member]) => (Array.isArray(member) ? listed(key, member, depth) : element(key, member, depth)))
        .join('')
