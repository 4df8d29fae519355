import type { Sample } from '../fixtures/sample.ts'
import { decode } from './decode.ts'
import { countFrames } from './frames.ts'
import { expectLike } from './likeness.ts'
import { verifyPages } from './page.ts'
import { likeSolid } from './silhouette.ts'
import { Unlike } from './verdict.ts'

/** What a target keeps of a picture. */
interface Kept {
  tones?: 'grey' | 'bilevel'
  /** Minimum likeness in dB. Default 27. */
  likeness?: number
  /** The picture is in a square of at most this many pixels per side. */
  square?: number
  /** Whether the result contains all frames of an animation, or all pages of a document. Default: only the first. */
  all?: 'frames' | 'pages'
}

const bilevel = { tones: 'bilevel', likeness: 12 } as const

/** Targets that keep less than the picture, or more than its first page. */
const targets: Readonly<Record<string, Kept>> = {
  pbm: bilevel,
  xbm: bilevel,
  wbmp: bilevel,
  pgm: { tones: 'grey' },
  fits: { tones: 'grey' },
  ico: { square: 256 },
  icns: { square: 1024 },
  cur: { square: 256 },
  dds: { likeness: 25 },
  gif: { likeness: 26, all: 'frames' },
  xpm: { likeness: 26 },
  webp: { all: 'frames' },
  apng: { all: 'frames' },
  avif: { all: 'frames' },
  tif: { all: 'pages' },
}

/**
 * Compares a picture with its source: size, colours, frames.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyImage(path: string, to: string, source: Sample): Promise<void> {
  if (source.content !== 'picture') return verifyPages(path, to, source)
  const kept = targets[to] ?? {}
  const picture = await decode(path, to)
  if (source.solid) return likeSolid(picture, source.path.split('.').at(-1)!)
  const size = `${picture.width} × ${picture.height}`
  const expected = `${source.width} × ${source.height}`
  const near = (got: number, wanted: number) => Math.abs(got - wanted) <= source.slack

  if (kept.square) {
    if (picture.width !== picture.height) throw new Unlike(`${size} is not square`)
    if (picture.width > kept.square) throw new Unlike(`${size} is above ${kept.square}`)
  } else if (!near(picture.width, source.width) || !near(picture.height, source.height))
    throw new Unlike(`${size} instead of ${expected}`)

  const square = Boolean(kept.square) || source.width === source.height
  const coloured = kept.tones === undefined && source.tones === 'colour'
  await expectLike(picture, source, kept.likeness ?? 27, { tones: coloured ? 'colour' : 'grey', square })

  if (kept.all) {
    const frames = await countFrames(path, to)
    const wanted = source.animated === (kept.all === 'frames') ? source.pages : 1
    const whole = source.film && wanted > 1 ? frames >= wanted : frames === wanted
    if (!whole) throw new Unlike(`${frames} frames instead of ${wanted}`)
  }
}
