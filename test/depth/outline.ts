import sharp, { type Sharp } from 'sharp'
import type { Pixels } from '../matrix/decode.ts'
import type { Shape } from '../matrix/shape.ts'

/** Pixels per side of an outline, whatever its shape. */
const side = 96

/** What a model covers in a picture. */
export interface Outline {
  /** Width divided by height. */
  aspect: number
  /** 1 where it is. */
  mask: Uint8Array
}

async function outlined(picture: Sharp): Promise<Outline> {
  const flat = await picture.flatten({ background: '#fff' }).grayscale().png().toBuffer()
  const dark = await sharp(flat).threshold(245).png().toBuffer()
  const { data, info } = await sharp(dark).trim({ background: '#fff' }).png().toBuffer({ resolveWithObject: true })
  const mask = await sharp(data).resize(side, side, { fit: 'fill', kernel: 'linear' }).grayscale().raw().toBuffer()
  return { aspect: info.width / info.height, mask: mask.map((level) => (level < 128 ? 1 : 0)) }
}

/** Returns what is not white. */
export const outlineOf = ({ width, height, data }: Pixels) =>
  outlined(sharp(data, { raw: { width, height, channels: 4 } }))

/** Which axis points up, and handedness, differ by format. */
const turns = [
  ([x, y, z]: readonly number[]) => [x!, y!, z!],
  ([x, y, z]: readonly number[]) => [x!, -z!, y!],
  ([x, y, z]: readonly number[]) => [x!, z!, y!],
]

/** Compares a picture with an isometric view of the shape. Says how many percent agree, if fewer than 93. */
export async function seenAs(shape: Shape, got: Outline): Promise<string | undefined> {
  const shares = await Promise.all(turns.map(async (turn) => agreement(await projected(shape, turn), got)))
  const best = Math.max(...shares)
  return best < 0.93 ? `${Math.round(100 * best)} % of the outline agree` : undefined
}

function agreement(wanted: Outline, got: Outline): number {
  if (Math.abs(got.aspect / wanted.aspect - 1) > 0.04) return 0
  let [both, either] = [0, 0]
  for (const [at, bit] of got.mask.entries()) {
    both += bit & wanted.mask[at]!
    either += bit | wanted.mask[at]!
  }
  return both / either
}

function projected(shape: Shape, turn: (point: readonly number[]) => number[]): Promise<Outline> {
  const polygons = shape.map((facet) =>
    facet.map((point) => {
      const [x, y, z] = turn(point) as [number, number, number]
      return [(x + y) * Math.cos(Math.PI / 6), -z + (x - y) * Math.sin(Math.PI / 6)] as const
    }),
  )
  const [xs, ys] = [polygons.flat().map(([x]) => x), polygons.flat().map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const scale = 400 / Math.max(width, height)
  const drawn = polygons.map(
    (places) => `<polygon points="${places.map(([x, y]) => `${x - left},${y - top}`).join(' ')}"/>`,
  )
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}" stroke="#000" stroke-width="${1 / scale}">`
  return outlined(sharp(Buffer.from(`${head}${drawn.join('')}</svg>`)))
}
