import type { Picture } from '../../engines/ffmpeg/media.ts'
import { toned } from '../../engines/ffmpeg/toned.ts'
import type { VideoOptions } from './options.ts'
import type { Target } from './targets.ts'

/** The long side and the short side in pixels. */
const boxes = { '720p': [1280, 720], '1080p': [1920, 1080] } as const

/** Whether a picture is larger than the options allow. */
export function tooLarge({ width, height }: Picture, { resolution }: VideoOptions): boolean {
  if (!resolution) return false
  const [long, short] = boxes[resolution]
  return Math.max(width, height) > long || Math.min(width, height) > short
}

/** Makes pixels square, because not every target can store another aspect ratio; within reasonable limits. */
const squared = "scale=w='iw*min(max(sar,1),4)':h='ih/max(min(sar,1),1/4)'"

/** Even sides, which all codecs support. A pixel less on one side does not change the aspect. */
const even = ["scale=w='max(2,trunc(iw/2)*2)':h='max(2,trunc(ih/2)*2)'", 'setsar=1']

/**
 * Returns the filters of an encoded video: deinterlacing, tone mapping, aspect and size, even frame times if the target
 * needs them, and even sides. Rotation is applied before.
 */
export function pictureFilters(picture: Picture, target: Target, options: VideoOptions): string[] {
  return [
    ...(picture.interlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...(picture.hdr ? toned : []),
    ...(picture.aspect === 1 ? [] : [squared]),
    ...fitted(target.box ?? (options.resolution && boxes[options.resolution])),
    ...timed(picture, target, options),
    ...even,
  ]
}

/** Scales into a box with the orientation of the picture, never up. */
function fitted(box: readonly [number, number] | undefined): string[] {
  if (!box) return []
  const [long, short] = box
  const width = `if(gte(iw,ih),min(iw,${long}),min(iw,${short}))`
  const height = `if(gte(iw,ih),min(ih,${short}),min(ih,${long}))`
  return [`scale=w='${width}':h='${height}':force_original_aspect_ratio=decrease:force_divisible_by=2`]
}

/**
 * Makes frame times even. The only frame of a picture must not get lost, nor the duration of an animation's last frame,
 * which nothing else stores.
 */
function timed({ rate, codec }: Picture, { even }: Target, { framerate }: VideoOptions): string[] {
  if (framerate) return [`fps=${framerate}:eof_action=pass`]
  if (!even && (codec !== 'gif' || !rate)) return []
  const snapped = Array.isArray(even) ? nearest(even, rate ?? '25') : (rate ?? '30')
  return [`fps=${snapped}:eof_action=pass`]
}

function nearest(rates: readonly string[], wanted: string): string {
  const value = (text: string) => {
    const [above, below = '1'] = text.split('/')
    return Number(above) / Number(below)
  }
  const distance = (rate: string) => Math.abs(value(rate) - value(wanted))
  return rates.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best))
}
