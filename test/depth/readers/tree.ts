/** An element of XML or HTML. Names keep their prefix; those of HTML are in lower case. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[!?][^>]*>|<\/([^\s>]+)\s*>|<([a-zA-Z_][^\s/>]*)((?:\s+[^\s=/>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*)\s*(\/?)>|[^<]+|</g
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', hellip: '…' },
  ...{ ldquo: '“', rdquo: '”', lsquo: '‘', rsquo: '’' },
  ...Object.fromEntries(latin.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)])),
}
const decoded = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    hex || decimal ? String.fromCodePoint(Number(hex ? `0x${hex}` : decimal)) : (named[name] ?? whole),
  )

/** Elements that end by themselves where one of the same group begins, up to the element that holds the group. */
const groups: readonly (readonly [members: string[], holder: string[]])[] = [
  [['li'], ['ul', 'ol']],
  [
    ['td', 'th'],
    ['tr', 'table'],
  ],
  [['tr'], ['table']],
  [['dt', 'dd'], ['dl']],
]

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([^\s=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)
  return Object.fromEntries([...found].map(([, name, a, b, c]) => [name!, decoded(a ?? b ?? c ?? '')]))
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
    } else if (!/^<[!?]/.test(whole)) open.at(-1)!.children.push(decoded(whole))
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
