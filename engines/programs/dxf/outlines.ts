/** Refuses text DXF files if nothing is drawn in any: `outlines.ts INPUT…`. */
import { readFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'

const isDrawn = (path: string) =>
  /\n *0\r?\n(LINE|LWPOLYLINE|POLYLINE|SPLINE|CIRCLE|ARC|POINT|TEXT|SOLID)\r?\n/.test(readFileSync(path, 'latin1'))

if (!process.argv.slice(2).some(isDrawn)) refuse('The drawing has no outlines, which is all that DXF can hold')
