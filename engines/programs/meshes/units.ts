/** Millimetres per unit (3MF core 1.3 §3.4; ISO/ASTM 52915 §8.2). Without a unit, models are in millimetres. */
const MILLIMETRES: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  feet: 304.8,
  meter: 1000,
}

/** Millimetres per unit of a model, given the name of its root element. An unknown unit counts as millimetres. */
export function scaleOf(text: string, root: 'model' | 'amf'): number {
  const tag = new RegExp(`<(?:[\\w.-]+:)?${root}(?=[\\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>`).exec(text)?.[0] ?? ''
  const [, , unit = ''] = /\sunit\s*=\s*(["'])\s*(\w+)\s*\1/.exec(tag) ?? []
  return MILLIMETRES[unit.toLowerCase()] ?? 1
}

/** One part of a 3MF package in millimetres: its vertices and the offsets of its transforms. */
export function partInMillimetres(text: string): string {
  const scale = scaleOf(text, 'model')
  if (scale === 1) return text
  return inMillimetres(text, 'model').replace(/<(?:[\w.-]+:)?(vertex|item|component)\s[^<>]*>/g, (tag, name) =>
    name === 'vertex'
      ? tag.replace(/(\s[xyz]\s*=\s*["'])([^"']*)/g, (_: string, before, value) => before + scaled(value, scale))
      : tag.replace(/(\stransform\s*=\s*["'])([^"']*)/, (_: string, before, matrix) => before + moved(matrix, scale)),
  )
}

/** An AMF document in millimetres: its vertices and the offsets of its instances. */
export function amfInMillimetres(text: string): string {
  const scale = scaleOf(text, 'amf')
  if (scale === 1) return text
  return inMillimetres(text, 'amf').replace(
    /(<(?:[xyz]|delta[xyz])>)([^<]*)(?=<)/g,
    (_, before, value) => before + scaled(value, scale),
  )
}

/** Declares the unit. */
const inMillimetres = (text: string, root: string) =>
  text.replace(new RegExp(`(<(?:[\\w.-]+:)?${root}\\s[^<>]*?\\bunit\\s*=\\s*["'])[^"']*`), '$1millimeter')

/** Leaves out digits that only rounding made. */
function scaled(value: string, scale: number): string {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? String(Number((number * scale).toPrecision(12))) : value
}

/** A matrix of four rows with three columns: the last row moves. */
const moved = (matrix: string, scale: number) =>
  matrix
    .trim()
    .split(/\s+/)
    .map((value, at) => (at < 9 ? value : scaled(value, scale)))
    .join(' ')
