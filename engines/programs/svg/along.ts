/**
 * Puts outlines in place of texts along paths: `along.ts DRAWING OUTLINES OUTPUT`. OUTLINES is the drawing in which all
 * texts are outlines. Other texts stay texts. Refuses a drawing of which no text has outlines.
 */
import { writeFileSync } from 'node:fs'
import { type CustomPlugin, optimize, type XastChild, type XastElement } from 'svgo'
import { refuse } from '../refusal/refusal.ts'
import { readText } from './read.ts'
import { rewrite } from './rewrite.ts'
import { isAlong } from './unsupported.ts'

const [drawing, outlines, output] = process.argv.slice(2) as [string, string, string]

/** Replaces each node of a drawing by what a function makes of it. */
const rewritten = (path: string, change: (node: XastChild) => XastChild) => {
  const plugin: CustomPlugin = { name: 'along', fn: (root) => rewrite(root, change) }
  return optimize(readText(path), { plugins: [plugin] }).data
}

const outlined = new Map<string, XastElement>()
rewritten(outlines, (node) => {
  if (node.type === 'element' && node.name === 'g' && node.attributes.id) outlined.set(node.attributes.id, node)
  return node
})

let count = 0
const data = rewritten(drawing, (node) => {
  const outline = node.type === 'element' && isAlong(node) ? outlined.get(node.attributes.id ?? '') : undefined
  if (!outline) return node
  // The styles of the group include what style sheets say of texts.
  delete outline.attributes.class
  count++
  return outline
})
if (count === 0) refuse('The texts along paths have no outlines')
writeFileSync(output, data)
