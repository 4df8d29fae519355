import type { Media, Picture, Sound } from '../../engines/ffmpeg/media.ts'
import type { Intent } from '../../kernel/contract.ts'
import { tooLarge } from './filters.ts'
import type { VideoOptions } from './options.ts'
import { type Target, targets } from './targets.ts'

/** Demuxers that give each packet a timestamp, which other containers need. */
const timed = ['mov', 'matroska', 'flv', 'mpegts', 'asf', 'avi', 'ogg']

/** Pixel formats that players support, for codecs with further ones. */
const usual = ['yuv420p', 'yuvj420p']
const deep = ['yuv420p10le']
const various = ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'mpeg2video']

/** Whether options require other frames than these. */
export const asksPicture = (picture: Picture, options: VideoOptions): boolean =>
  options.crf !== undefined ||
  options.bitrate !== undefined ||
  tooLarge(picture, options) ||
  (options.framerate !== undefined && Number(picture.rate?.replace(/\/1$/, '')) !== options.framerate) ||
  (options.codec !== undefined && picture.codec !== options.codec)

/** The requests of a job. */
interface Wish {
  intent: Intent
  options: VideoOptions
}

const kept = ({ copies, keeps = copies }: Target, intent: Intent) => (intent === 'transform' ? keeps : copies)

/** Whether the video stream can stay unchanged. */
export function picturesFit({ demuxer, video }: Media, target: Target, { intent, options }: Wish): boolean {
  if (!video?.codec || !timed.includes(demuxer) || asksPicture(video, options)) return false
  const { codec, pixels } = video
  const any = target.muxer.includes('matroska') || !various.includes(codec)
  const shown = any || usual.includes(pixels) || (target.deep && codec !== 'h264' && deep.includes(pixels))
  const small = !target.box || (Math.max(video.width, video.height) <= 720 && video.level <= 31)
  const right = (!video.turned || target.turns) && (!video.hdr || target.deep)
  return Boolean(kept(target, intent).picture.includes(codec) && shown && small && right)
}

/** Sample rates in Hz that flv allows for mp3. */
const flashRates = [44_100, 22_050, 11_025]

/** Whether all these audio streams can stay unchanged. */
export function soundsFit({ demuxer }: Media, sounds: readonly Sound[], target: Target, { intent, options }: Wish) {
  const max = target.coder.channels.at(-1)!
  return (
    options.audioBitrate === undefined &&
    timed.includes(demuxer) &&
    sounds.every(
      ({ codec, channels, rate }) =>
        kept(target, intent).sound.includes(codec) &&
        channels <= max &&
        (codec !== 'mp3' || !target.muxer.includes('flv') || flashRates.includes(rate)),
    )
  )
}

/** The picture codec of most files of a format, where it is not H.264. */
const usualCodec: Readonly<Record<string, string>> = {
  webm: 'vp9',
  avi: 'mpeg4',
  wmv: 'wmv3',
  asf: 'wmv3',
  mpg: 'mpeg2video',
  vob: 'mpeg2video',
  ogv: 'theora',
  mxf: 'mpeg2video',
  dv: 'dvvideo',
  rm: 'rv40',
  rmvb: 'rv40',
  swf: 'flv1',
}

/** Whether most files of a format keep their pictures in another one, or get none there, so that nothing is encoded. */
export const mayCopy = (from: string, to: string): boolean =>
  from === to || (targets[to]?.copies.picture.includes(usualCodec[from] ?? 'h264') ?? true)
