import type { Lost } from './lost.ts'
import { type Pair, pairsOf } from './pairs.ts'

/** Properties of a layer that its DXF lacks. */
export interface Layer {
  name: string
  off: boolean
  frozen: boolean
}

/** Names of layers by their handles, all handles, and the version of the format. */
export function namesIn(pairs: readonly Pair[]) {
  const written = new Set<string>()
  const layerNames = new Map<string, string>()
  let handle: string | undefined
  let kind = ''
  let version = ''
  for (const [at, [code, value]] of pairs.entries()) {
    if (code === 0) kind = value.trim()
    if (code === 5) written.add((handle = value.trim().toUpperCase()))
    if (code === 2 && kind === 'LAYER' && handle) layerNames.set(handle, value)
    if (code === 9 && value.trim() === '$ACADVER') version = pairs[at + 1]?.[1].trim() ?? ''
  }
  return { written, layerNames, version }
}

/** Adds entities to the end of their blocks, or of the section of entities. */
export function completed(pairs: readonly Pair[], lost: readonly Lost[]): Pair[] {
  const known = new Set(
    pairs.flatMap(([code, value], at) => (isBlock(pairs, at) && code === 330 ? [value.trim()] : [])),
  )
  const placed = lost.map(({ block, pairs }) => ({ block: block && known.has(block) ? block : undefined, pairs }))
  let block: string | undefined
  let section = ''
  return pairs.flatMap((pair, at) => {
    const [code, value] = pair
    const name = value.trim()
    if (code === 2 && pairs[at - 1]?.[1].trim() === 'SECTION') section = name
    if (code === 330 && isBlock(pairs, at)) block = name
    const end = code === 0 && (name === 'ENDBLK' || (name === 'ENDSEC' && section === 'ENTITIES'))
    if (!end) return [pair]
    const wanted = name === 'ENDBLK' ? (block ?? '') : undefined
    return [...placed.filter((one) => one.block === wanted).flatMap((one) => one.pairs), pair]
  })
}

/** Whether a pair is one of the first of a block, which name its handle and its owner. */
const isBlock = (pairs: readonly Pair[], at: number) =>
  [1, 2, 3].some((back) => pairs[at - back]?.[0] === 0 && pairs[at - back]?.[1].trim() === 'BLOCK')

/**
 * Corrects errors in LibreDWG's output: header values with line breaks; handles of 0 (groups 5 and 105), which readers
 * reject, while they generate missing ones; and layers, which are all off. A layer that is off has a negative colour
 * (group 62); a frozen layer has bit 0 of its flags set (group 70).
 */
export function mend(text: string, layers: readonly Layer[]): Pair[] {
  const known = new Map(layers.map((layer) => [layer.name.toLowerCase(), layer]))
  const all = pairsOf(text)
  const body = all.findIndex(([code, value]) => code === 0 && value.trim() === 'ENDSEC')
  const pairs = all.filter(([code, value], at) => at < body || (code !== 5 && code !== 105) || value.trim() !== '0')
  let layer: Layer | undefined
  let isLayer = false
  for (const pair of pairs) {
    const [code, value] = pair
    if (code === 0) {
      isLayer = value.trim() === 'LAYER'
      layer = undefined
    } else if (isLayer && code === 2) layer = known.get(value.trim().toLowerCase())
    else if (isLayer && code === 62) pair[1] = String((layer?.off ? -1 : 1) * (Math.abs(Number(value)) || 7))
    else if (isLayer && code === 70 && layer) pair[1] = String((Number(value) & ~1) | (layer.frozen ? 1 : 0))
  }
  return pairs
}
