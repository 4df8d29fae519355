import { unescaped } from '../../matrix/document/text.ts'

/** An element of XML or HTML. Names keep their prefix; those of HTML are in lower case. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[!?][^>]*>|<\/([^\s>]+)\s*>|<([a-zA-Z_][^\s/>]*)((?:\s+[^\s=/>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*(\/?)>|[^<]+|</g
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements that end by themselves where one of the same group begins, up to the element that holds the group. */
const groups = ['li > ul ol', 'td th > tr table', 'tr > table', 'dt dd > dl'].map((group) =>
  group.split(' > ').map((names) => names.split(' ')),
) as [members: string[], holders: string[]][]

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([^\s=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)
  return Object.fromEntries([...found].map(([, name, a, b, c]) => [name!, unescaped(a ?? b ?? c ?? '')]))
}

/** Parses XML, or HTML as leniently as these tests need: void elements, and list items and cells without an end. */
export function parse(markup: string, html = false): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  const close = (names: readonly string[], holders: readonly string[] = []) => {
    const at = open.findLastIndex(({ name }) => names.includes(name))
    if (at > 0 && open.findLastIndex(({ name }) => holders.includes(name)) < at) open.length = at
  }
  const source = html ? markup.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '') : markup
  for (const [whole, data, end, start, attributes = '', single] of source.matchAll(token)) {
    if (data !== undefined) open.at(-1)!.children.push(data)
    else if (end) close([html ? end.toLowerCase() : end])
    else if (start) {
      const name = html ? start.toLowerCase() : start
      for (const [members, holders] of html ? groups : []) if (members.includes(name)) close(members, holders)
      const element = { name, attributes: attributesOf(attributes), children: [] }
      open.at(-1)!.children.push(element)
      if (!single && !(html && empty.has(name))) open.push(element)
    } else if (!/^<[!?]/.test(whole)) open.at(-1)!.children.push(unescaped(whole))
  }
  return root
}

/** Elements below, at any depth, in document order; not below those for which `enter` is false. */
export function* below(element: Element, enter: (inner: Element) => boolean = () => true): Generator<Element> {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    yield child
    if (enter(child)) yield* below(child, enter)
  }
}

/** Elements of one of these names, at any depth. */
export const all = (element: Element, ...names: string[]) =>
  [...below(element)].filter(({ name }) => names.includes(name))

/** Children of one of these names. */
export const inside = (element: Element, ...names: string[]) =>
  element.children.filter((child): child is Element => typeof child !== 'string' && names.includes(child.name))

/** Text with single spaces. `instead` gives the text of special elements. */
export function words(element: Element, instead: (inner: Element) => string | undefined = () => undefined): string {
  const told = (inner: Element): string =>
    instead(inner) ?? inner.children.map((child) => (typeof child === 'string' ? child : told(child))).join('')
  return tidy(told(element))
}

/** Single spaces, none at the ends. */
export const tidy = (text: string) =>
  text
    .replace(/\u00ad|\ufe0e|\ufe0f/g, '')
    .replace(/[\s\u00a0\u200b]+/g, ' ')
    .trim()
