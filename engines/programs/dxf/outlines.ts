/** Copies a text DXF, and refuses one in which nothing is drawn: `outlines.ts INPUT OUTPUT`. */
import { copyFileSync, readFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const isDrawn = /\n *0\r?\n(LINE|LWPOLYLINE|POLYLINE|SPLINE|CIRCLE|ARC|POINT|TEXT|SOLID)\r?\n/.test(
  readFileSync(input, 'latin1'),
)
if (!isDrawn) {
  refuse('The drawing has no outlines, which is all that DXF can hold')
}
copyFileSync(input, output)
