import type { Media } from '../../engines/ffmpeg/media.ts'
import { fail } from '../../kernel/kit.ts'
import type { VideoOptions } from './options.ts'

/** Largest animation: frames, and pixels of all frames together. That takes some minutes on two cores. */
const MAX = { frames: 100_000, pixels: 20e9 }

/**
 * Refuses animations in small files that take much work. A frame of a GIF can draw one pixel in 15 bytes and last
 * eleven minutes; the video has evenly timed frames of the whole canvas. The demuxer adds this up without decoding.
 *
 * @throws RESOURCE_LIMIT
 */
export function boundAnimation({ demuxer, seconds = 0, video }: Media, { framerate }: VideoOptions): void {
  if (demuxer !== 'gif' || !video) return
  const [above, below = 1] = (video.rate ?? '30').split('/').map(Number) as [number, number?]
  const frames = Math.max(video.frames ?? 0, Math.round(seconds * (framerate ?? above / below)))
  const pixels = frames * video.width * video.height
  if (frames <= MAX.frames && pixels <= MAX.pixels) return
  const count = (number: number) => Math.round(number).toLocaleString('en')
  const size = `${count(video.width)} × ${count(video.height)} pixels`
  const limit = `${count(MAX.frames)} frames and ${count(MAX.pixels / 1e6)} megapixels`
  throw fail('RESOURCE_LIMIT', `The film would have ${count(frames)} frames of ${size}; at most ${limit} can be made`)
}
