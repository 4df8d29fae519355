import type { XastElement, XastParent } from 'svgo'

/** Elements whose content is drawn only where something refers to it. */
const TEMPLATES = [
  'defs',
  'clipPath',
  'mask',
  'pattern',
  'marker',
  'symbol',
  'linearGradient',
  'radialGradient',
  'filter',
]
const DRAWN = [
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'image',
  'use',
  'foreignObject',
]
/** In a style sheet, any of these may apply to anything. */
const RICH_STYLE = /url\(\s*['"]?#|opacity\s*:|mix-blend-mode|rgba\(|hsla\(/i
const MARKERS = ['marker', 'marker-start', 'marker-mid', 'marker-end']

/** A drawn element, and whether metafiles cannot hold its look as vectors. */
export interface Drawn {
  node: XastElement
  parent: XastParent
  rich: boolean
}

/**
 * Lists the elements that are drawn, in the order of painting. Rich are those with gradients, patterns, masks, filters,
 * transparency, markers, or clips that a metafile in the format `to` would lose.
 */
export function drawnElements(root: XastParent, to: string): Drawn[] {
  const ids = new Map<string, XastElement>()
  const losing = new Map<string, boolean>()
  const clipped = new Map<XastElement, boolean>()
  const unclipped = new Map<XastElement, boolean>()
  let styled = false
  visit(root, (node) => {
    if (node.attributes.id) ids.set(node.attributes.id, node)
    if (node.name === 'style') styled ||= RICH_STYLE.test(textOf(node))
  })
  const found: Drawn[] = []
  collect(root, styled, 0)
  return found

  function collect(parent: XastParent, rich: boolean, clips: number) {
    for (const node of parent.children) {
      if (node.type !== 'element' || TEMPLATES.includes(node.name)) continue
      const clip = properties(node)['clip-path']
      const depth = clips + (clip && clip !== 'none' ? 1 : 0)
      const own = rich || isRich(node) || (depth > clips && loses(clip!, depth))
      if (DRAWN.includes(node.name))
        found.push({ node, parent, rich: own || refersToRich(node, to === 'emf' && depth > 0) })
      else collect(node, own, depth)
    }
  }

  /** EMF holds one clip at a time, WMF none. A rectangle mostly clips nothing: it is the page or a frame. */
  function loses(clip: string, depth: number): boolean {
    if (to === 'emf') return depth > 1
    const id = /#([^)'"]+)/.exec(clip)?.[1] ?? ''
    const known = losing.get(id) ?? !isFrame(ids.get(id))
    losing.set(id, known)
    return known
  }

  /** @param inClip Whether a clip of its own would be lost. */
  function refersToRich(node: XastElement, inClip: boolean): boolean {
    if (node.name !== 'use') return false
    const target = ids.get((node.attributes['xlink:href'] ?? node.attributes.href ?? '').replace(/^#/, ''))
    return target !== undefined && ((inClip && 'clip-path' in properties(target)) || holdsRich(target, inClip))
  }

  /** Looks at each element once, however many others refer to it. */
  function holdsRich(node: XastElement, inClip: boolean): boolean {
    const known = inClip ? clipped : unclipped
    const before = known.get(node)
    if (before !== undefined) return before
    // A circular reference adds nothing.
    known.set(node, false)
    const below = () => node.children.some((child) => child.type === 'element' && holdsRich(child, inClip))
    const rich = isRich(node) || refersToRich(node, inClip) || below()
    known.set(node, rich)
    return rich
  }
}

/** Whether a clip consists of rectangles. */
const isFrame = (clip: XastElement | undefined) =>
  clip?.children.every(
    (child) => child.type !== 'element' || child.name === 'rect' || isBox(child.attributes.d ?? ''),
  ) ?? false

function isRich(node: XastElement): boolean {
  const look = properties(node)
  const colours = [look.fill, look.stroke].filter((value) => value !== undefined)
  return (
    colours.some((value) => /^url\(|^(rgb|hsl)a\(|^#([0-9a-f]{4}|[0-9a-f]{8})$/i.test(value.trim())) ||
    ['opacity', 'fill-opacity', 'stroke-opacity'].some(
      (name) => look[name] !== undefined && fraction(look[name]) < 1,
    ) ||
    ['mask', 'filter', ...MARKERS].some((name) => /url\(/.test(look[name] ?? '')) ||
    !['normal', undefined].includes(look['mix-blend-mode']) ||
    (node.name === 'image' && !isOpaque(node.attributes['xlink:href'] ?? node.attributes.href ?? '')) ||
    node.name === 'foreignObject'
  )
}

/** Attributes, replaced by the declarations in `style`. */
function properties({ attributes }: XastElement): Record<string, string> {
  const declared = (attributes.style ?? '').split(';').map((one) => one.split(/:(.*)/s).map((part) => part.trim()))
  return { ...attributes, ...Object.fromEntries(declared.filter(([name, value]) => name && value)) }
}

const fraction = (value: string) => Number.parseFloat(value) / (value.trim().endsWith('%') ? 100 : 1)

/** A path of lines along the axes. */
function isBox(path: string): boolean {
  if (/^M[\s\d.,-]+([HVhv][\s\d.-]+){3,}[Zz]?$/.test(path.trim())) return true
  if (!/^[MLZ\s\d.,-]+$/.test(path)) return false
  const numbers = path.match(/-?[\d.]+/g)?.map(Number) ?? []
  const points = numbers.flatMap((x, at) => (at % 2 ? [] : [[x, numbers[at + 1]] as const]))
  const straight = points.every(([x, y], at) => at === 0 || points[at - 1]![0] === x || points[at - 1]![1] === y)
  return points.length >= 4 && points.length <= 6 && straight
}

/** JPEG, PNG without an alpha channel or a transparent colour, and what is not drawn. */
function isOpaque(href: string): boolean {
  if (!href || /^\s*data:image\/jpe?g/i.test(href)) return true
  const png = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64')
  const kind = /^\s*data:image\/png;base64/i.test(href) ? png[25] : undefined
  return kind !== undefined && kind < 4 && !png.subarray(0, png.indexOf('IDAT')).includes('tRNS')
}

function visit(parent: XastParent, call: (node: XastElement) => void) {
  for (const node of parent.children)
    if (node.type === 'element') {
      call(node)
      visit(node, call)
    }
}

const textOf = (node: XastElement): string =>
  node.children.map((child) => ('value' in child ? child.value : '')).join('')
