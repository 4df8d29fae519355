import sharp from 'sharp'
import { height, pixels, width } from '../fixtures/picture.ts'
import type { Sample } from '../fixtures/sample.ts'
import type { Pixels } from './pixels.ts'
import { Unlike } from './verdict.ts'

/** Size of the comparison: at a quarter of the picture, dithering and ringing average out; places and colours stay. */
const small = { width: width / 4, height: height / 4 }

export interface View {
  tones: 'colour' | 'grey'
  /** The picture is in the middle of a square, with transparency or white above and below. */
  square: boolean
}

/** Scales a picture down on white, 3 bytes per pixel, or 1 in grey. */
async function shrink({ width, height, data }: Pixels, { tones, square }: View, fit: 'fill' | 'contain') {
  const flat = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#fff' })
  const coloured = tones === 'grey' ? flat.grayscale() : flat
  const box = square ? { width: small.width, height: small.width } : small
  return coloured
    .resize({ ...box, fit, kernel: 'linear', background: '#fff' })
    .raw()
    .toBuffer()
}

/** Returns the PSNR in dB between a picture and a frame of the test picture, both scaled down; at most 99. */
async function likeness(picture: Pixels, frame: number, view: View): Promise<number> {
  const wanted = await shrink({ width, height, data: pixels(frame) }, view, 'contain')
  const got = await shrink(picture, view, 'fill')
  return psnr(wanted, got)
}

/**
 * Throws `Unlike` if a picture is less like a frame of the test picture than `least` dB, or than its source is.
 */
export async function expectLike(
  picture: Pixels,
  source: Pick<Sample, 'likeness'>,
  least: number,
  view: View,
  frame = 0,
): Promise<void> {
  const wanted = Math.min(least, source.likeness)
  const got = await likeness(picture, frame, view)
  if (got < wanted) throw new Unlike(`${got.toFixed(1)} dB, at least ${wanted} wanted`)
}

/** Returns the PSNR in dB of bytes; at most 99. */
export function psnr(wanted: Uint8Array, got: Uint8Array): number {
  if (got.length !== wanted.length) throw new Error(`${got.length} bytes instead of ${wanted.length}`)
  const sum = wanted.reduce((sum, byte, index) => sum + (byte - got[index]!) ** 2, 0)
  return Math.min(99, 10 * Math.log10(255 ** 2 / (sum / wanted.length)))
}
