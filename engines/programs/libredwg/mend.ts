/** Properties of a layer that its DXF lacks. */
export interface Layer {
  name: string
  off: boolean
  frozen: boolean
}

/** A group code and its value. */
type Pair = [code: number, value: string]

/** The pairs of a text DXF. A line that should be a code but is not belongs to a value with line breaks. */
function pairsOf(text: string): Pair[] {
  const lines = text.split(/\r?\n/)
  const pairs: Pair[] = []
  for (let at = 0; at + 1 < lines.length; ) {
    const code = /^\s*(-?\d{1,4})\s*$/.exec(lines[at]!)?.[1]
    if (code === undefined) at++
    else {
      pairs.push([Number(code), lines[at + 1]!])
      at += 2
    }
  }
  return pairs
}

/**
 * Corrects errors in LibreDWG's output: header values with line breaks; handles of 0 (groups 5 and 105), which readers
 * reject, while they generate missing ones; and layers, which are all off. A layer that is off has a negative colour
 * (group 62); a frozen layer has bit 0 of its flags set (group 70).
 */
export function mend(text: string, layers: readonly Layer[]): string {
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
  return `${pairs.map(([code, value]) => `${String(code).padStart(3)}\n${value}`).join('\n')}\n`
}
