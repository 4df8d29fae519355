/** CSS pixels per unit. A font is 16 pixels high. */
const PIXELS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  q: 96 / 101.6,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
}

/** Sizes of a side that somebody can mean, in CSS pixels: up to 264 m. */
const SMALLEST = 0.001
const LARGEST = 1_000_000
/** The longer side of a drawing whose own size is absurd. */
const LONGER = 1024
/** The size of a drawing without any (CSS 2.2 §10.3.2), if its content depends on it. */
const DEFAULT = { width: '300', height: '150' }

const ROOT = /<(?:[\w.-]+:)?svg(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>/
const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*("[^"]*"|'[^']*')`)
const attributeOf = (tag: string, name: string) => attribute(name).exec(tag)?.[1]?.slice(1, -1)
/** Shapes whose size depends on that of the drawing, and anything that has a size of its own. */
const RELATIVE =
  /<(?:[\w.-]+:)?(?:rect|circle|ellipse|line|image)\s[^<>]*\s(?:width|height|r|[cr][xy]|[xy]2)\s*=\s*["']\s*[\d.]+%/
const ABSOLUTE =
  /<(?:[\w.-]+:)?(?:(?:path|polyline|polygon|text|use|foreignObject)[\s>]|(?:rect|circle|ellipse|line|image)\s[^<>]*\s(?:width|height|r|rx|ry|[xy]2)\s*=\s*["']\s*[\d.]+[^%\d.])/

/**
 * Gives a drawing a sensible size if its own is 0, negative, no number or absurdly large: that of its view box, or of
 * its content, which librsvg measures if nothing else is known.
 */
export function withSize(text: string): string {
  const root = ROOT.exec(text)
  if (!root) return text
  const [tag] = root
  const given = Object.fromEntries(['width', 'height', 'viewBox'].map((name) => [name, attributeOf(tag, name)]))
  const box = given.viewBox === undefined ? undefined : boxOf(given.viewBox)
  const sizes = [given.width, given.height].map((side) => (side === undefined ? undefined : pixels(side)))
  const wrong = sizes.some((side) => side !== undefined && !(side >= SMALLEST && side <= LARGEST))
  const sized = !wrong && sizes.some((side) => side !== undefined && Number.isFinite(side))
  const changes: Record<string, string | undefined> = {}
  if (wrong) Object.assign(changes, { width: undefined, height: undefined })
  if (given.viewBox !== undefined && !box) changes.viewBox = undefined
  if (!sized && box) Object.assign(changes, absurd(box) && fitted(box))
  const content = text.slice(root.index + tag.length)
  if (!sized && !box && RELATIVE.test(content) && !ABSOLUTE.test(content)) Object.assign(changes, DEFAULT)
  if (Object.keys(changes).length === 0) return text
  return text.slice(0, root.index) + changed(tag, changes) + content
}

/** Whether a drawing with a sensible size tells it. Otherwise its content has its own size, whatever is around it. */
export function tellsSize(drawing: Buffer): boolean {
  const [tag = ''] = ROOT.exec(drawing.toString('latin1')) ?? []
  const sides = [attributeOf(tag, 'width'), attributeOf(tag, 'height')]
  return attribute('viewBox').test(tag) || sides.some((side) => side !== undefined && pixels(side) !== undefined)
}

/**
 * The size of a drawing, which `withSize` has seen, in CSS pixels. Undefined if only its content tells it, or what is
 * around it.
 */
export function sizeOf(text: string): Box | undefined {
  const [tag = ''] = ROOT.exec(text) ?? []
  const [width, height] = ['width', 'height'].map((name) => pixels(attributeOf(tag, name) ?? ''))
  const box = boxOf(attributeOf(tag, 'viewBox') ?? '')
  if (width && height) return [width, height]
  if (!box) return undefined
  if (width) return [width, (width * box[1]) / box[0]]
  return height ? [(height * box[0]) / box[1], height] : box
}

/** The drawing with an element at its start. */
export const withFirst = (text: string, element: string) =>
  text.replace(ROOT, (tag) => (tag.endsWith('/>') ? tag : tag + element))

/** The drawing with a size, and a view box of that size from the origin. */
export function sizedBy(drawing: Buffer, width: number, height: number): Buffer {
  const size = { width: String(width), height: String(height), viewBox: `0 0 ${width} ${height}` }
  return Buffer.from(
    drawing.toString('latin1').replace(ROOT, (tag) => changed(tag, size)),
    'latin1',
  )
}

type Box = readonly [width: number, height: number]

function boxOf(text: string): Box | undefined {
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [, , width, height] = numbers
  return numbers.length === 4 && numbers.every(Number.isFinite) && width! > 0 && height! > 0
    ? [width!, height!]
    : undefined
}

/** A length in CSS pixels. Undefined if it depends on where the drawing is, NaN if it is none. */
function pixels(length: string): number | undefined {
  const text = length.trim()
  const [, number, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)\s*(%|[a-z]*)$/i.exec(text) ?? []
  if (unit === '%' || /^(auto|inherit|100v[wh])?$/.test(text)) return Number(number) <= 0 ? Number.NaN : undefined
  return Number(number) * (unit === '' ? 1 : (PIXELS[unit.toLowerCase()] ?? Number.NaN))
}

const absurd = (box: Box) => Math.max(...box) > LARGEST || Math.min(...box) < SMALLEST

const fitted = ([width, height]: Box) => {
  const scale = LONGER / Math.max(width, height)
  return { width: String(Math.max(1, width * scale)), height: String(Math.max(1, height * scale)) }
}

/** A tag with other values of attributes. Undefined removes one. */
const changed = (tag: string, changes: Readonly<Record<string, string | undefined>>) =>
  Object.entries(changes).reduce((now, [name, value]) => {
    const without = now.replace(attribute(name), '')
    return value === undefined ? without : without.replace(/\/?>$/, (end) => ` ${name}="${value}"${end}`)
  }, tag)
