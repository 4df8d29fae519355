import type { Measures } from '../../kernel/contract.ts'

/** One stream, as ffprobe describes it. Unknown numbers are undefined. */
export interface Stream {
  index: number
  type: 'video' | 'audio' | 'subtitle' | 'other'
  /** FFmpeg's name of the codec; undefined when it has no decoder for it. */
  codec: string | undefined
  seconds: number | undefined
  /** As the file tells it, usually by ISO 639-2. */
  language?: string
}

/** A video stream, or the cover of an audio file. */
export interface Picture extends Stream {
  width: number
  height: number
  pixels: string
  interlaced: boolean
  /** Whether the colours are of high dynamic range (SMPTE ST 2084, ARIB STD-B67). */
  hdr: boolean
  /** The decoder that sees its transparency, which WebM keeps beside it. */
  clear: string | undefined
  /** Whether a display matrix rotates or mirrors it. */
  turned: boolean
  /** Width of a pixel divided by its height. */
  aspect: number
  /** Frames per second as a fraction, such as `30000/1001`. Undefined if unknown, below 1 or above 120. */
  rate: string | undefined
  /** Whether its frames last differently long. */
  uneven: boolean
  /** Number of frames, if the file's header has it. */
  frames: number | undefined
  /** The codec's level, such as 31 for 3.1. */
  level: number
  cover: boolean
  /** Whether the file calls a cover the front one. */
  front: boolean
}

/** An audio stream that can be decoded. */
export interface Sound extends Stream {
  codec: string
  rate: number
  channels: number
  /** Bits per sample of lossless codecs; 16 for lossy ones. */
  depth: number
}

/** The streams of a file. */
export interface Media {
  demuxer: string
  seconds: number | undefined
  video: Picture | undefined
  /** All video streams and covers. */
  pictures: Picture[]
  /** Covers, the front one first. */
  covers: Picture[]
  /** Whether there are covers of kinds that FFmpeg does not know. */
  strangeCovers: boolean
  sounds: Sound[]
  subtitles: Stream[]
  /** Whether any stream is encrypted. */
  locked: boolean
  /** Codecs in the file that cannot be decoded. */
  unknown: string[]
  /** Where it was recorded (ISO 6709), from the tag that Apple's phones write. */
  place: string | undefined
}

/** Whether a cover is a JPEG or PNG, and not another picture under this name. */
export const isPlain = ({ codec, pixels }: Picture): boolean => (codec === 'mjpeg' || codec === 'png') && pixels !== ''

/** What the report of a conversion says of a file. */
export const measuresOf = ({ seconds, video, sounds }: Media): Measures => ({
  seconds: seconds ?? video?.seconds ?? sounds[0]?.seconds,
  frames: video?.frames,
  width: video?.width,
  height: video?.height,
})

/** Names the streams that are not among those `kept`, for reports: kind, language and codec. */
export function streamsBut(media: Media, kept: readonly Stream[]): string[] {
  const left = [...media.pictures, ...media.sounds, ...media.subtitles].filter((stream) => !kept.includes(stream))
  const named = left.map(({ type, language, codec, ...stream }) =>
    ['cover' in stream && stream.cover ? 'cover' : type, language, codec && `(${codec})`].filter(Boolean).join(' '),
  )
  return [...named, ...media.unknown.map((codec) => `unknown (${codec})`)]
}
