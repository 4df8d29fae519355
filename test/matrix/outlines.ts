import { readFile } from 'node:fs/promises'
import { density } from '../fixtures/drawing.ts'
import { height, rectangles } from '../fixtures/picture.ts'
import type { Sample } from '../fixtures/sample.ts'
import { Unlike } from './verdict.ts'

type Place = readonly [x: number, y: number]

/** Returns the vertices of every line and solid of a text DXF: pairs of lines, a group code and its value. */
export function places(text: string): Place[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const found: Place[] = []
  let entity = ''
  let x = 0
  for (let at = lines.indexOf('ENTITIES') + 1; at + 1 < lines.length; at += 2) {
    const code = Number(lines[at])
    const value = lines[at + 1]!
    if (code === 0) entity = value
    else if (!['LINE', 'LWPOLYLINE', 'VERTEX', 'SOLID'].includes(entity)) continue
    else if (code >= 10 && code <= 13) x = Number(value)
    else if (code >= 20 && code <= 23) found.push([x, Number(value)])
  }
  return found
}

/** Checks a drawing of lines, in millimetres: every corner of the picture's rectangles must be a vertex. */
export async function verifyOutlines(path: string, to: string, source: Sample): Promise<void> {
  if (to !== 'dxf') throw new Error(`no reader of drawings in ${to}`)
  const found = places(await readFile(path, 'latin1'))
  if (found.length === 0) throw new Unlike('nothing drawn')
  const [left, bottom] = [0, 1].map((axis) => Math.min(...found.map((place) => place[axis]!))) as [number, number]
  const millimetres = (pixels: number) => (pixels / density) * 25.4

  const from = source.path.split('.').at(-1)!
  // Tracing rounds small shapes.
  const traced = ['png', 'jpg', 'webp', 'avif', 'gif'].includes(from)
  // poppler moves the edges of filled rectangles by up to four tenths of a point.
  const moved = ['pdf', 'ai', 'eps', 'ps', 'cdr'].includes(from)
  const wanted = rectangles().filter(({ width }) => !traced || width >= 20)
  const corners = wanted.flatMap(({ x, y, width, height: down }) =>
    [x, x + width].flatMap((across) => [y, y + down].map((below): Place => [across, height - below])),
  )
  const slack = traced ? 0.5 : moved ? 0.3 : 0.08
  const isFound = ([x, y]: Place) =>
    found.some((place) => {
      const across = place[0] - left - millimetres(x)
      const up = place[1] - bottom - millimetres(y)
      return Math.hypot(across, up) <= slack
    })
  const missing = corners.filter((corner) => !isFound(corner))
  if (missing.length > corners.length * (traced ? 0.1 : 0))
    throw new Unlike(
      `${missing.length} of ${corners.length} corners are missing, such as ${missing[0]} of ${found.length}`,
    )
}
