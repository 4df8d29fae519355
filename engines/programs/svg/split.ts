/**
 * Splits a drawing for a metafile, which cannot hold everything as vectors: `split.ts behind TO INPUT OUTPUT` keeps
 * what is painted up to the last element that must become a picture, and prints `rich` if there is one. `split.ts front
 * TO INPUT OUTPUT PICTURE DENSITY` keeps the rest, and puts the picture of DENSITY dpi behind it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type CustomPlugin, optimize, type XastChild, type XastElement, type XastRoot } from 'svgo'
import { refuse } from '../refusal/refusal.ts'
import { readText } from './read.ts'
import { type Drawn, drawnElements } from './rich.ts'

const [part, to, input, output, picture, density] = process.argv.slice(2) as ['behind' | 'front', ...string[]] &
  [string, string, string, string]
const source = readText(input)

/** Elements drawn after the last rich one. None if the picture's place among them is not known exactly. */
function vectors(root: XastRoot) {
  const drawn = drawnElements(root, to)
  const last = drawn.findLastIndex(({ rich }) => rich)
  return { drawn, last: last >= 0 && !frame(root) ? drawn.length - 1 : last }
}

const svgOf = (root: XastRoot) =>
  root.children.find((node) => node.type === 'element' && node.name === 'svg') as XastElement

/**
 * The rectangle that the drawing shows, in its own units. Undefined if its content would be moved or scaled unevenly.
 */
function frame(root: XastRoot): [x: string, y: string, width: string, height: string] | undefined {
  const { viewBox, width, height } = svgOf(root).attributes
  const box = viewBox?.trim().split(/[\s,]+/) as [string, string, string, string] | undefined
  if (box && width === undefined && height === undefined) return box
  const [across, down] = [width, height].map((side) => /^([\d.]+)\s*(px|pt|pc|mm|cm|in)?$/.exec(side?.trim() ?? ''))
  if (!across || !down || across[2] !== down[2]) return undefined
  if (!box) return across[2] && across[2] !== 'px' ? undefined : ['0', '0', across[1]!, down[1]!]
  const even = Number(box[2]) / Number(box[3]) / (Number(across[1]) / Number(down[1]))
  return Math.abs(even - 1) < 0.001 ? box : undefined
}

function remove(drawn: readonly Drawn[]): void {
  const gone = new Set<XastChild>(drawn.map(({ node }) => node))
  for (const parent of new Set(drawn.map(({ parent }) => parent)))
    parent.children = parent.children.filter((child) => !gone.has(child))
}

const behind = (root: XastRoot) => {
  const { drawn, last } = vectors(root)
  if (last >= 0) console.log('rich')
  remove(drawn.slice(last + 1))
}

const front = (root: XastRoot) => {
  const { drawn, last } = vectors(root)
  if (last < 0) return
  remove(drawn.slice(0, last + 1))
  const svg = svgOf(root)
  const png = readFileSync(picture!)
  const href = `data:image/png;base64,${png.toString('base64')}`
  let place = frame(root)
  if (!place) {
    const [width, height] = [16, 20].map((at) => ((png.readUInt32BE(at) * 96) / Number(density)).toFixed(3))
    place = ['0', '0', width!, height!]
    svg.attributes = { xmlns: 'http://www.w3.org/2000/svg', width: width!, height: height! }
  }
  const [x, y, width, height] = place
  svg.attributes['xmlns:xlink'] = 'http://www.w3.org/1999/xlink'
  const attributes = { x, y, width, height, preserveAspectRatio: 'none', 'xlink:href': href }
  svg.children.unshift({ type: 'element', name: 'image', attributes, children: [] })
}

const plugin: CustomPlugin = {
  name: part,
  fn: (root) => (part === 'behind' ? behind(root) : front(root)),
}

try {
  writeFileSync(output, optimize(source, { plugins: [plugin] }).data)
} catch (error) {
  console.error(error)
  refuse('The drawing is not well-formed')
}
