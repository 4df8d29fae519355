import sharp, { type Sharp } from 'sharp'
import { facets } from '../fixtures/solid.ts'
import type { Pixels } from './pixels.ts'
import type { Shape } from './shape.ts'
import { Unlike } from './verdict.ts'

/** Pixels per side of a silhouette, whatever its aspect ratio. */
const side = 96

type Point = readonly number[]

/** Which axis points up, and handedness, differ by format. */
const turns = {
  z: ([x, y, z]: Point) => [x!, y!, z!],
  y: ([x, y, z]: Point) => [x!, -z!, y!],
  left: ([x, y, z]: Point) => [x!, z!, y!],
} as const

/** Formats of the solid where z does not point up. */
const turned: Readonly<Record<string, keyof typeof turns>> = {
  obj: 'y',
  gltf: 'y',
  glb: 'y',
  fbx: 'y',
  x3d: 'y',
  ac: 'y',
  x: 'left',
  lwo: 'left',
}

/** What a model covers in a picture. */
interface Silhouette {
  /** Width divided by height. */
  aspect: number
  /** 1 where it is, scaled to a square. */
  mask: Uint8Array
}

const flat = ({ width, height, data }: Pixels) => sharp(data, { raw: { width, height, channels: 4 } })

/** Returns the area that is not white. */
async function shadow(picture: Sharp): Promise<Silhouette> {
  // In separate steps, because sharp always trims first.
  const flat = await picture.flatten({ background: '#fff' }).grayscale().png().toBuffer()
  const dark = await sharp(flat).threshold(245).png().toBuffer()
  const { data, info } = await sharp(dark).trim({ background: '#fff' }).png().toBuffer({ resolveWithObject: true })
  const mask = await sharp(data).resize(side, side, { fit: 'fill', kernel: 'linear' }).grayscale().raw().toBuffer()
  return { aspect: info.width / info.height, mask: mask.map((level) => (level < 128 ? 1 : 0)) }
}

/** Draws a shape isometrically: x to the right front, y to the right back, z upwards. */
function projected(shape: Shape, turn: (point: Point) => number[]): Promise<Silhouette> {
  const polygons = shape.map((facet) =>
    facet.map((point) => {
      const [x, y, z] = turn(point) as [number, number, number]
      return [(x + y) * Math.cos(Math.PI / 6), -z + (x - y) * Math.sin(Math.PI / 6)] as const
    }),
  )
  const xs = polygons.flat().map(([x]) => x)
  const ys = polygons.flat().map(([, y]) => y)
  const left = Math.min(...xs)
  const top = Math.min(...ys)
  const width = Math.max(...xs) - left
  const height = Math.max(...ys) - top
  const scale = 400 / Math.max(width, height)
  const drawn = polygons.map(
    (places) => `<polygon points="${places.map(([x, y]) => `${x - left},${y - top}`).join(' ')}"/>`,
  )
  const size = `width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} stroke="#000" stroke-width="${1 / scale}">`
  return shadow(sharp(Buffer.from(`${head}${drawn.join('')}</svg>`)))
}

/** Share of the area that both cover; 0 if the aspect ratios differ by more than `slack`. */
function agreement(wanted: Silhouette, got: Silhouette, slack: number): number {
  if (Math.abs(got.aspect / wanted.aspect - 1) > slack) return 0
  let both = 0
  let either = 0
  for (const [at, bit] of got.mask.entries()) {
    both += bit & wanted.mask[at]!
    either += bit | wanted.mask[at]!
  }
  return both / either
}

/**
 * Compares the outline of a drawn model with that of the solid, computed here. Requires at least three tones, one for
 * each visible side.
 *
 * @throws Unlike for another aspect ratio or outline
 */
export async function likeSolid(picture: Pixels, from: string): Promise<void> {
  const wanted = await projected(facets(), turns[turned[from] ?? 'z'])
  const share = agreement(wanted, await shadow(flat(picture)), 0.03)
  if (share < 0.95) throw new Unlike(`${Math.round(100 * share)} % of the outline agree`)
  const levels = new Map<number, number>()
  const grey = await flat(picture).flatten({ background: '#fff' }).grayscale().raw().toBuffer()
  for (const level of grey) levels.set(level >> 3, (levels.get(level >> 3) ?? 0) + 1)
  const tones = [...levels].filter(([level, count]) => level < 30 && count > grey.length / 100).length
  if (tones < 3) throw new Unlike(`${tones} tones instead of three`)
}
