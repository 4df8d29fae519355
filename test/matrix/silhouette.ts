import sharp, { type Sharp } from 'sharp'
import { facets, type Point } from '../fixtures/solid.ts'
import type { Pixels } from './decode.ts'
import { Unlike, type Verdict } from './verdict.ts'

/** Pixels per side of a silhouette, whatever its aspect ratio. */
const side = 96

/** The solid's coordinates in formats where z does not point up. */
const turns: Readonly<Record<string, (point: Point) => Point>> = {
  ...Object.fromEntries(
    ['obj', 'gltf', 'glb', 'fbx', 'x3d', 'ac'].map((format) => [format, ([x, y, z]: Point): Point => [x, -z, y]]),
  ),
  // Left-handed.
  ...Object.fromEntries(['x', 'lwo'].map((format) => [format, ([x, y, z]: Point): Point => [x, z, y]])),
}

/** Projects a point isometrically: x to the right front, y to the right back, z upwards. */
const seen = ([x, y, z]: Point) => [(x + y) * Math.cos(Math.PI / 6), -z + (x - y) * Math.sin(Math.PI / 6)] as const

interface Shadow {
  /** Width divided by height. */
  aspect: number
  mask: Buffer
}

/** Returns the area that is not white, scaled to a square. */
async function shadow(picture: Sharp): Promise<Shadow> {
  // In separate steps, because sharp always trims first.
  const flat = await picture.flatten({ background: '#fff' }).grayscale().png().toBuffer()
  const dark = await sharp(flat).threshold(245).png().toBuffer()
  const { data, info } = await sharp(dark).trim({ background: '#fff' }).png().toBuffer({ resolveWithObject: true })
  const mask = await sharp(data).resize(side, side, { fit: 'fill', kernel: 'linear' }).grayscale().raw().toBuffer()
  return { aspect: info.width / info.height, mask: mask.map((level) => (level < 128 ? 1 : 0)) as Buffer }
}

function expected(from: string): Promise<Shadow> {
  const turn = turns[from] ?? ((point: Point) => point)
  const polygons = facets().map((facet) => facet.map((point) => seen(turn(point))))
  const [xs, ys] = [0, 1].map((axis) => polygons.flat().map((place) => place[axis as 0 | 1])) as [number[], number[]]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const shapes = polygons.map(
    (places) => `<polygon points="${places.map(([x, y]) => `${x - left},${y - top}`).join(' ')}"/>`,
  )
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 10}" height="${height * 10}" viewBox="0 0 ${width} ${height}"`
  return shadow(sharp(Buffer.from(`${head} stroke="#000" stroke-width="0.05">${shapes.join('')}</svg>`)))
}

/**
 * Compares the outline of a drawn model with that of the solid, computed here. Requires at least three tones, one for
 * each visible side.
 *
 * @throws Unlike for another aspect ratio or outline
 */
export async function likeSolid({ width, height, data }: Pixels, from: string): Promise<Verdict> {
  const raw = { raw: { width, height, channels: 4 } } as const
  const [got, wanted] = await Promise.all([shadow(sharp(data, raw)), expected(from)])
  if (Math.abs(got.aspect / wanted.aspect - 1) > 0.03)
    throw new Unlike(`an aspect of ${got.aspect.toFixed(3)} instead of ${wanted.aspect.toFixed(3)}`)
  let [both, either] = [0, 0]
  for (const [at, bit] of got.mask.entries()) {
    both += bit & wanted.mask[at]!
    either += bit | wanted.mask[at]!
  }
  if (both / either < 0.95) throw new Unlike(`${Math.round((100 * both) / either)} % of the outline agree`)
  const levels = new Map<number, number>()
  const grey = await sharp(data, raw).flatten({ background: '#fff' }).grayscale().raw().toBuffer()
  for (const level of grey) levels.set(level >> 3, (levels.get(level >> 3) ?? 0) + 1)
  const tones = [...levels].filter(([level, count]) => level < 30 && count > grey.length / 100).length
  if (tones < 3) throw new Unlike(`${tones} tones instead of three`)
  return {}
}
