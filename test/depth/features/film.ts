import type { Feature } from '../family.ts'
import { beepOf, looks, play, tracksOf } from '../played.ts'
import { isSource } from '../sight.ts'
import { near } from './compare.ts'
import { among, chapters, films, languages, pictures, subtitles } from './film-texts.ts'
import { sound, title } from './heard.ts'

/** Pixels as players show them, upright and with square pixels. */
const size: Feature<{ width: number; height: number }> = {
  name: 'size',
  rule: among([...films, ...pictures]),
  read: async (subject) => {
    // A Flash film tells the size of its stage.
    if (subject.format === 'swf') return undefined
    const [track] = await tracksOf(subject, subject.format === 'gif' ? 'Image' : 'Video')
    if (!track) return undefined
    const width = Number(track.Width) * Number(track.PixelAspectRatio ?? 1)
    const height = Number(track.Height)
    return Number(track.Rotation ?? 0) % 180 === 0 ? { width, height } : { width: height, height: width }
  },
  differs: (wanted, got, { format }) => {
    if (!got) return 'no picture'
    // A GIF is at most 640 pixels wide without a box.
    const scale = format === 'gif' ? Math.min(1, 640 / wanted.width) : 1
    const width = wanted.width * scale
    const height = wanted.height * scale
    const isNear = near(width, got.width, 3) && near(height, got.height, 2)
    return isNear ? undefined : `${got.width} × ${got.height} instead of ${width} × ${height}`
  },
}

/** The picture after 0.5 s, as 8 × 6 points. */
const look: Feature<readonly number[]> = {
  name: 'look',
  rule: among([...films, ...pictures]),
  read: async (subject) => {
    const { frames } = await play(subject)
    const frame = frames[Math.min(looks / 2, frames.length - 1)]
    return frame && [...frame]
  },
  differs: (wanted, got, { format }) => {
    if (!got) return 'no picture'
    const gap = wanted.reduce((sum, level, at) => sum + Math.abs(level - got[at]!), 0) / wanted.length
    return gap > (format === 'gif' ? 20 : 14) ? `points differ by ${gap.toFixed(1)}` : undefined
  },
}

/** Frames a second: the mean, and where they are closest. */
const rate: Feature<{ mean: number; max: number }> = {
  name: 'rate',
  rule: among(films),
  read: async (subject) => {
    // Found files may tell another rate than they have.
    if (isSource(subject)) return undefined
    const [track] = await tracksOf(subject, 'Video')
    return { mean: Number(track?.FrameRate), max: Number(track?.FrameRate_Maximum ?? track?.FrameRate) }
  },
  differs: (wanted, got) => {
    // A missing frame at the start lowers the mean, and times in milliseconds raise the most.
    const isNear = got && near(wanted.max, got.max, wanted.max / 30) && near(wanted.mean, got.mean, wanted.mean / 20)
    return isNear ? undefined : `${got?.mean} frames a second instead of ${wanted.mean.toFixed(3)}`
  },
}

interface Sync {
  /** Seconds after the start. */
  flash: number
  beep: number
}

/** When the picture turns white, and when the sound begins. */
const sync: Feature<Sync> = {
  name: 'sync',
  rule: among(films),
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const shown = await play(subject)
    const flash = shown.frames.findIndex((frame) => frame.reduce((sum, level) => sum + level, 0) / 144 > 190) / looks
    return { flash, beep: beepOf(shown) ?? Number.NaN }
  },
  differs: (wanted, got) => {
    const gap = got!.flash - got!.beep
    if (!near(gap, wanted.flash - wanted.beep, 0.065)) return `the flash is ${gap.toFixed(2)} s after the beep`
    return near(wanted.flash, got!.flash, 0.15) ? undefined : `the flash is at ${got!.flash.toFixed(2)} s`
  },
}

/** What browsers and phones play. */
const plays: Feature<Readonly<Record<string, unknown>>> = {
  name: 'plays',
  rule: among(['mp4', 'webm']),
  read: async (subject) => {
    const [file] = await tracksOf(subject, 'General')
    const [picture] = await tracksOf(subject, 'Video')
    const sounds = (await tracksOf(subject, 'Audio')).map(({ Format }) => Format)
    return { picture: picture?.Format, colours: picture?.ChromaSubsampling, sounds, streams: file?.IsStreamable }
  },
  differs: (_, got, { format }) => {
    const [codecs, sounds] = (format === 'mp4' ? ['AVC HEVC', 'AAC'] : ['VP8 VP9 AV1', 'Opus Vorbis']).map((names) =>
      names.split(' '),
    )
    const { picture, colours = '4:2:0', sounds: own, streams } = got as Record<string, any>
    const fine =
      codecs!.includes(picture) && colours === '4:2:0' && (own as string[]).every((one) => sounds!.includes(one))
    return fine && (format !== 'mp4' || streams === 'Yes') ? undefined : JSON.stringify(got)
  },
}

/** Features of films. Their duration is compared by the matrix. */
export const filmFeatures: readonly Feature[] = [
  size,
  look,
  rate,
  sync,
  sound,
  languages,
  title,
  chapters,
  subtitles,
  plays,
]
