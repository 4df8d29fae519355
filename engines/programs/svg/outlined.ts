import type { CustomPlugin, XastElement } from 'svgo'
import { rewrite, styled } from './rewrite.ts'

/** What cairo would turn into pictures, which have no outlines. */
const RASTERISED = ['opacity', 'stroke-opacity', 'mask', 'filter', 'mix-blend-mode']
const DECLARED = new RegExp(`(?<![\\w-])(?:${RASTERISED.join('|')}|fill-opacity)\\s*:\\s*[^;}]*`, 'g')
const PAINT = /url\(\s*['"]?#[^)]*\)?[^;}]*/g
/** In place of gradients and patterns. */
const COLOUR = '#808080'

/** Keeps the shapes of a drawing, in plain colours: for targets that hold outlines only. Removes pictures. */
export const outlined: CustomPlugin = {
  name: 'outlined',
  fn: (root) =>
    rewrite(root, (node, parent) => {
      if (node.type !== 'element') return styled(node, parent, plain)
      if (node.name === 'image' || isZero('opacity', node.attributes)) return undefined
      outline(node)
      return node
    }),
}

function outline({ attributes }: XastElement): void {
  if (isZero('stroke-opacity', attributes)) {
    attributes.stroke = 'none'
    if (attributes.style) attributes.style += ';stroke:none'
  }
  for (const name of RASTERISED) delete attributes[name]
  if (Number(attributes['fill-opacity']) === 0) attributes.fill = 'none'
  delete attributes['fill-opacity']
  for (const name of ['fill', 'stroke'])
    if (attributes[name]) attributes[name] = attributes[name].replace(PAINT, COLOUR)
  if (attributes.style) attributes.style = plain(attributes.style)
}

/** Whether an attribute or a declaration is 0, so that nothing is seen. */
function isZero(name: string, attributes: Readonly<Record<string, string>>): boolean {
  const declared = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*0(?:\\.0*)?%?\\s*(?:;|$)`)
  return /^\s*0(\.0*)?%?\s*$/.test(attributes[name] ?? '') || declared.test(attributes.style ?? '')
}

/** Clips keep their references: they cut the outlines. */
const plain = (declarations: string) =>
  declarations
    .replace(/fill-opacity\s*:\s*0(?:\.0*)?%?\s*(?=;|\}|$)/g, 'fill:none')
    .replace(DECLARED, '')
    .replace(/((?:fill|stroke)\s*:\s*)url\(\s*['"]?#[^)]*\)?[^;}]*/g, `$1${COLOUR}`)
