/** Rewrites a drawing with SVGO: `clean.ts optimise|alone|outlined INPUT OUTPUT`. */
import { writeFileSync } from 'node:fs'
import { type CustomPlugin, optimize, type XastElement, type XastParent } from 'svgo'
import { refuse } from '../refusal/refusal.ts'
import { mended } from './mended.ts'
import { outlined } from './outlined.ts'
import { readText } from './read.ts'
import { rewrite, styled } from './rewrite.ts'
import { isAlong } from './unsupported.ts'

const [task, input, output] = process.argv.slice(2) as ['optimise' | 'alone' | 'outlined', string, string]
const source = readText(input)
/** Entities that refer to files or to other entities. */
const RISKY = /<!ENTITY\s+(?:%|\S+\s+(?:SYSTEM|PUBLIC)\b|\S+\s+(?:"[^"]*[&%]|'[^']*[&%]))/i
const refused = { alone: /<!ENTITY/i, outlined: RISKY, optimise: undefined }[task]
if (refused?.test(source)) refuse('The drawing declares entities, which are not supported')

let texts = 0

/**
 * Removes references to other files from attributes and style sheets, and names the others as Inkscape does. Gives
 * texts along paths an id.
 */
const alone: CustomPlugin = {
  name: 'alone',
  fn: (root) =>
    rewrite(root, (node, parent) => {
      if (node.type !== 'element')
        return styled(node, parent, (css) => css.replace(/@import[^;]*;?/gi, '').replace(FOREIGN, 'none'))
      detach(node)
      return node
    }),
}
/** Also a reference that ends with the style sheet, as in browsers. */
const FOREIGN = /url\((?!\s*(?:['"]\s*)?(?:#|data:))[^)]*\)?/gi

function detach(node: XastElement): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    if (/(^|:)href$/.test(name) && node.name !== 'a' && !/^\s*(#|data:)/i.test(value)) delete node.attributes[name]
    else node.attributes[name] = value.replace(FOREIGN, 'none')
  }
  // Inkscape 1.2 knows references only by the name that SVG 1.1 gave them.
  const { href } = node.attributes
  if (href !== undefined) node.attributes['xlink:href'] ??= href
  if (isAlong(node)) node.attributes.id ??= `text-along-path-${++texts}`
  if (node.name === 'svg') node.attributes['xmlns:xlink'] ??= 'http://www.w3.org/1999/xlink'
}

const plugins = { alone, outlined }

/** Most comparisons of siblings by each part of SVGO, which looks for each element among its siblings. */
const MAX = 2e8

/** The sum of the squares of the numbers of children. */
const comparisons = ({ children }: XastParent): number =>
  children.reduce((sum, child) => sum + (child.type === 'element' ? comparisons(child) : 0), children.length ** 2)

/** The smaller of the drawing and what SVGO makes of it. Drawings with very many siblings stay as they are. */
function optimised(drawing: string): string {
  let count = 0
  const measure: CustomPlugin = {
    name: 'measure',
    fn: (root) => {
      count = comparisons(root)
      return undefined
    },
  }
  optimize(drawing, { plugins: [measure] })
  if (count > MAX) return drawing
  const { data } = optimize(drawing, { multipass: drawing.length < 2_000_000 })
  return Buffer.byteLength(data) < Buffer.byteLength(drawing) ? data : drawing
}

function optimisedOrMended(): string {
  try {
    return optimised(source)
  } catch {
    return optimised(mended(Buffer.from(source)).toString())
  }
}

try {
  writeFileSync(output, task === 'optimise' ? optimisedOrMended() : optimize(source, { plugins: [plugins[task]] }).data)
} catch (error) {
  console.error(error)
  refuse('The drawing is not well-formed')
}
