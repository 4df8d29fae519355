/**
 * Puts outlines in place of texts along paths: `along.ts DRAWING OUTLINES OUTPUT`. OUTLINES is the drawing in which all
 * texts are outlines. Other texts stay texts. Refuses a drawing of which no text has outlines.
 */
import { writeFileSync } from 'node:fs'
import { type CustomPlugin, optimize, type XastElement, type XastParent } from 'svgo'
import { refuse } from '../refusal/refusal.ts'
import { read } from './read.ts'
import { isAlong } from './text-paths.ts'

const [drawing, outlines, output] = process.argv.slice(2) as [string, string, string]

/** Runs a function for each element. */
const rewrite = (path: string, enter: (node: XastElement, parent: XastParent) => void) => {
  const plugin: CustomPlugin = { name: 'along', fn: () => ({ element: { enter } }) }
  return optimize(read(path).toString(), { plugins: [plugin] }).data
}

const outlined = new Map<string, XastElement>()
rewrite(outlines, (node) => {
  if (node.name === 'g' && node.attributes.id) outlined.set(node.attributes.id, node)
})

let count = 0
const data = rewrite(drawing, (node, parent) => {
  const outline = isAlong(node) ? outlined.get(node.attributes.id ?? '') : undefined
  if (!outline) return
  // The styles of the group include what style sheets say of texts.
  delete outline.attributes.class
  parent.children = parent.children.map((child) => (child === node ? outline : child))
  count++
})
if (count === 0) refuse('The texts along paths have no outlines')
writeFileSync(output, data)
