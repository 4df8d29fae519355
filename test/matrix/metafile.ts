import { readFile } from 'node:fs/promises'

/** A drawing of a metafile as SVG, and its size in inches. */
export interface Drawn {
  svg: string
  width: number
  height: number
}

type Point = [x: number, y: number]

/** Collects filled shapes. Brushes are numbered objects; other selected objects are ignored. */
function canvas() {
  const brushes = new Map<number, string>()
  const shapes: string[] = []
  let brush = 'none'
  return {
    shapes,
    create: (number: number, style: number, colour: number) => {
      const channels = [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]
      brushes.set(number, style === 1 ? 'none' : `rgb(${channels})`)
    },
    select: (number: number) => (brush = brushes.get(number) ?? brush),
    remove: (number: number) => brushes.delete(number),
    fill: (path: string) => path && shapes.push(`<path fill="${brush}" fill-rule="evenodd" d="${path}"/>`),
  }
}

const closed = (points: readonly Point[]) => `M${points.map((point) => point.join(' ')).join('L')}Z`
const box = ([left, top, right, bottom]: readonly number[]) => `M${left} ${top}H${right}V${bottom}H${left}Z`

/** Several polygons, whose points follow their counts. */
function polygons(counts: readonly number[], start: number, points: (at: number, count: number) => Point[]): string {
  let next = start
  return counts.map((count) => closed(points((next += 4 * count) - 4 * count, count))).join('')
}

const page = (shapes: string[], [x, y, width, height]: number[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" preserveAspectRatio="none">${shapes.join('')}</svg>`

/** Reads the filled shapes of an enhanced metafile (MS-EMF, section 2.3). */
function emf(bytes: Buffer): Drawn {
  const long = (at: number) => bytes.readInt32LE(at)
  const drawing = canvas()
  let path = ''
  const points = (at: number, count: number, small: boolean): Point[] =>
    Array.from({ length: count }, (_, index) =>
      small
        ? [bytes.readInt16LE(at + 4 * index), bytes.readInt16LE(at + 4 * index + 2)]
        : [long(at + 8 * index), long(at + 8 * index + 4)],
    )
  const listed = (at: number, small: boolean) => points(at + 28, long(at + 24), small)
  const records: Record<number, (at: number) => unknown> = {
    3: (at) => drawing.fill(closed(listed(at, false))),
    86: (at) => drawing.fill(closed(listed(at, true))),
    5: (at) => (path += `C${listed(at, false).flat().join(' ')}`),
    88: (at) => (path += `C${listed(at, true).flat().join(' ')}`),
    6: (at) => (path += `L${listed(at, false).flat().join(' ')}`),
    89: (at) => (path += `L${listed(at, true).flat().join(' ')}`),
    91: (at) => {
      const counts = Array.from({ length: long(at + 24) }, (_, index) => long(at + 32 + 4 * index))
      drawing.fill(polygons(counts, at + 32 + 4 * counts.length, (from, count) => points(from, count, true)))
    },
    27: (at) => (path += `M${long(at + 8)} ${long(at + 12)}`),
    37: (at) => drawing.select(long(at + 8)),
    39: (at) => drawing.create(long(at + 8), long(at + 12), long(at + 16)),
    40: (at) => drawing.remove(long(at + 8)),
    43: (at) => drawing.fill(box([8, 12, 16, 20].map((field) => long(at + field)))),
    54: (at) => (path += `L${long(at + 8)} ${long(at + 12)}`),
    59: () => (path = ''),
    61: () => (path += 'Z'),
    62: () => drawing.fill(path),
    63: () => drawing.fill(path),
  }
  for (let at = 0; at < bytes.length; at += long(at + 4)) {
    if (long(at + 4) < 8) throw new Error('a record of no length')
    records[bytes.readUInt32LE(at)]?.(at)
  }
  const [left, top, right, bottom] = [8, 12, 16, 20].map(long) as [number, number, number, number]
  const frame = [24, 28, 32, 36].map(long) as [number, number, number, number]
  return {
    svg: page(drawing.shapes, [left, top, right - left, bottom - top]),
    width: (frame[2] - frame[0]) / 2540,
    height: (frame[3] - frame[1]) / 2540,
  }
}

/** Reads the filled shapes of a placeable Windows metafile (MS-WMF, section 2.3). */
function wmf(bytes: Buffer): Drawn {
  if (bytes.readUInt32LE(0) !== 0x9ac6cdd7) throw new Error('not placeable: without a size')
  const short = (at: number) => bytes.readInt16LE(at)
  const drawing = canvas()
  const slots: boolean[] = []
  const take = () => {
    const free = slots.indexOf(false)
    const slot = free < 0 ? slots.length : free
    slots[slot] = true
    return slot
  }
  const points = (at: number, count: number): Point[] =>
    Array.from({ length: count }, (_, index) => [short(at + 4 * index), short(at + 4 * index + 2)])
  const records: Record<number, (at: number) => unknown> = {
    762: take,
    763: take,
    764: (at) => drawing.create(take(), short(at), bytes.readUInt32LE(at + 2)),
    301: (at) => drawing.select(short(at)),
    496: (at) => {
      slots[short(at)] = false
      drawing.remove(short(at))
    },
    804: (at) => drawing.fill(closed(points(at + 2, short(at)))),
    1336: (at) => {
      const counts = Array.from({ length: short(at) }, (_, index) => short(at + 2 + 2 * index))
      drawing.fill(polygons(counts, at + 2 + 2 * counts.length, points))
    },
    1051: (at) => drawing.fill(box([6, 4, 2, 0].map((field) => short(at + field)))),
  }
  for (let at = 40; at + 6 <= bytes.length && bytes.readUInt32LE(at) >= 3; at += 2 * bytes.readUInt32LE(at))
    records[bytes.readUInt16LE(at + 4)]?.(at + 6)
  const [left, top, right, bottom] = [6, 8, 10, 12].map(short) as [number, number, number, number]
  const inch = bytes.readUInt16LE(14)
  return {
    svg: page(drawing.shapes, [left, top, right - left, bottom - top]),
    width: (right - left) / inch,
    height: (bottom - top) / inch,
  }
}

/** Parses a metafile without the program that wrote it. Throws if it is empty. */
export async function metafile(path: string, format: 'emf' | 'wmf'): Promise<Drawn> {
  const drawn = (format === 'emf' ? emf : wmf)(await readFile(path))
  if (!drawn.svg.includes('<path')) throw new Error('a metafile without filled shapes')
  return drawn
}
