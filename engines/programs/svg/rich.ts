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
      const clipped = clips + (clip && clip !== 'none' ? 1 : 0)
      const own = rich || isRich(node) || (clipped > clips && loses(clip!, clipped))
      if (DRAWN.includes(node.name)) found.push({ node, parent, rich: own || refersToRich(node, clipped) })
      else collect(node, own, clipped)
    }
  }

  /** EMF holds one clip at a time, WMF none. A rectangle mostly clips nothing: it is the page or a frame. */
  function loses(clip: string, depth: number): boolean {
    if (to === 'emf') return depth > 1
    const shapes = ids.get(/#([^)'"]+)/.exec(clip)?.[1] ?? '')?.children.filter((child) => child.type === 'element')
    return !shapes?.every(({ name, attributes }) => name === 'rect' || isBox(attributes.d ?? ''))
  }

  function refersToRich(node: XastElement, clips: number, depth = 0): boolean {
    if (node.name !== 'use' || depth > 8) return false
    const target = ids.get((node.attributes['xlink:href'] ?? node.attributes.href ?? '').replace(/^#/, ''))
    if (!target) return false
    if (isRich(target) || (clips > 0 && to === 'emf' && properties(target)['clip-path'])) return true
    let rich = refersToRich(target, clips, depth + 1)
    visit(target, (child) => {
      rich ||= isRich(child) || refersToRich(child, clips, depth + 1)
    })
    return rich
  }
}

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
  if (/^\s*M[\s\d.,-]+([HVhv][\s\d.-]+){3,}[Zz]?\s*$/.test(path)) return true
  const points = path.match(/-?[\d.]+[\s,]+-?[\d.]+/g)?.map((pair) => pair.split(/[\s,]+/).map(Number)) ?? []
  const straight = points.every(([x, y], at) => at === 0 || points[at - 1]![0] === x || points[at - 1]![1] === y)
  return /^[MLZ\s\d.,-]+$/.test(path) && points.length >= 4 && points.length <= 6 && straight
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
