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
  /** Whether a display matrix rotates or mirrors it. */
  turned: boolean
  /** Width of a pixel divided by its height. */
  aspect: number
  /** Frames per second as a fraction, such as `30000/1001`. Undefined if unknown, below 1 or above 120. */
  rate: string | undefined
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

const PLACE = 'com.apple.quicktime.location.ISO6709'

/** Arguments that tell ffprobe what to print. */
export const entries = [
  '-show_entries',
  [
    'stream=index,codec_type,codec_name,codec_tag_string,width,height,pix_fmt,field_order,color_transfer,level',
    'r_frame_rate,avg_frame_rate,nb_frames,sample_aspect_ratio,duration,sample_fmt,sample_rate,channels,bits_per_raw_sample',
  ].join(',') +
    ':stream_tags=language,comment,filename,Cover Art (Front):stream_disposition=attached_pic:stream_side_data=side_data_type,rotation,displaymatrix' +
    `:format=duration:format_tags=${PLACE}` +
    ':packet=stream_index:packet_side_data=side_data_type',
  '-read_intervals',
  '%+#8',
]

/** A stream or packet as ffprobe reports it. Any field can be missing. */
interface Reported {
  index: number
  codec_type?: string
  codec_name?: string
  codec_tag_string?: string
  duration?: string
  tags?: Record<string, string>
  disposition?: { attached_pic?: number }
  width?: number
  height?: number
  level?: number
  pix_fmt?: string
  field_order?: string
  color_transfer?: string
  sample_aspect_ratio?: string
  r_frame_rate?: string
  avg_frame_rate?: string
  nb_frames?: string
  sample_fmt?: string
  sample_rate?: string
  channels?: number
  bits_per_raw_sample?: string
  side_data_list?: { side_data_type?: string; rotation?: number }[]
}

interface Report {
  streams?: Reported[]
  packets?: Reported[]
  format?: { duration?: string; tags?: Record<string, string> }
}

const LOSSLESS = /^(pcm_|flac|alac|wavpack|tta|ape|truehd|mlp|wmalossless|dsd_|dst)/
const LOCKED = /encryption/i

/** The JSON among ffprobe's lines, without its warnings, which can have several lines. @throws SyntaxError */
export const parsed = (lines: readonly string[]): unknown =>
  JSON.parse(lines.filter((line) => /^[{} ]/.test(line)).join('\n'))

/** Reads the output of ffprobe. Throws SyntaxError if it is not JSON. */
export function readMedia(demuxer: string, lines: readonly string[]): Media {
  const reported = parsed(lines) as Report
  const streams = reported.streams ?? []
  const pictures = streams.filter(({ codec_type, codec_name }) => codec_type === 'video' && codec_name).map(picture)
  const sounds = streams.filter(({ codec_type }) => codec_type === 'audio')
  const sides = [...streams, ...(reported.packets ?? [])].flatMap(({ side_data_list }) => side_data_list ?? [])
  const heard = sounds.filter(({ codec_name, channels, sample_rate }) => codec_name && channels && Number(sample_rate))
  const dead = streams.filter(
    (one) => (one.codec_type === 'video' && !one.codec_name) || (sounds.includes(one) && !heard.includes(one)),
  )
  return {
    demuxer,
    seconds: positive(reported.format?.duration),
    video: pictures.find((one) => !one.cover && one.width > 0),
    covers: pictures.filter(({ cover }) => cover).sort((one, other) => Number(other.front) - Number(one.front)),
    strangeCovers: lines.some((line) => /^\[.*mimetype/.test(line)),
    sounds: heard.map(sound),
    subtitles: streams.filter(({ codec_type }) => codec_type === 'subtitle').map(stream),
    locked:
      sides.some(({ side_data_type }) => LOCKED.test(String(side_data_type))) ||
      streams.some(({ codec_tag_string }) => /^(drm[si]|enc[avst])$/.test(codec_tag_string ?? '')) ||
      lines.some((line) => line.includes('DRM protected stream')),
    place: /^[-+][-+.\d]{3,60}\/?$/.exec(reported.format?.tags?.[PLACE] ?? '')?.[0],
    unknown: dead.map((one) => String(one.codec_name ?? one.codec_tag_string ?? 'unknown')),
  }
}

function stream(reported: Reported): Stream {
  const type = (['video', 'audio', 'subtitle'] as const).find((each) => each === reported.codec_type) ?? 'other'
  const language = reported.tags?.language
  return {
    index: reported.index,
    type,
    codec: reported.codec_name,
    seconds: positive(reported.duration),
    ...(language && { language: String(language) }),
  }
}

/** Frames a second. FFmpeg's guess for a GIF of unequal times drops the short ones; its times are hundredths. */
function rateOf({ codec_name, nb_frames, r_frame_rate, avg_frame_rate }: Reported): string | undefined {
  const isUneven = r_frame_rate !== avg_frame_rate && (fraction(avg_frame_rate, '/') ?? 0) >= 1
  if (codec_name === 'gif' && Number(nb_frames) > 1 && isUneven) return '50/1'
  return [r_frame_rate, avg_frame_rate].find((rate) => {
    const value = fraction(rate, '/')
    return value !== undefined && value >= 1 && value <= 120
  })
}

function picture(reported: Reported): Picture {
  const sides = reported.side_data_list ?? []
  return {
    ...stream(reported),
    width: Number(reported.width) || 0,
    height: Number(reported.height) || 0,
    pixels: String(reported.pix_fmt ?? ''),
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(reported.field_order ?? ''),
    hdr: ['smpte2084', 'arib-std-b67'].includes(reported.color_transfer ?? ''),
    turned: sides.some(({ rotation }) => Number(rotation) % 360 !== 0),
    aspect: fraction(reported.sample_aspect_ratio, ':') ?? 1,
    rate: rateOf(reported),
    frames: positive(reported.nb_frames),
    level: Number(reported.level) || 0,
    cover: reported.disposition?.attached_pic === 1,
    front: isFront(reported.tags ?? {}),
  }
}

/** By the type in ID3, FLAC and ASF, the name of the tag in APE, the file's name in Matroska. */
const isFront = ({ comment, filename, ...tags }: Record<string, string>) =>
  comment === 'Cover (front)' || 'Cover Art (Front)' in tags || /^(small_)?cover\./i.test(filename ?? '')

/** Whether a cover is a JPEG or PNG, and not another picture under this name. */
export const isPlain = ({ codec, pixels }: Picture): boolean => (codec === 'mjpeg' || codec === 'png') && pixels !== ''

function sound(reported: Reported): Sound {
  const bits = Number(reported.bits_per_raw_sample) || (/^(s32|flt|dbl|s64)/.test(reported.sample_fmt ?? '') ? 24 : 16)
  return {
    ...stream(reported),
    codec: reported.codec_name ?? '',
    rate: Number(reported.sample_rate),
    channels: reported.channels ?? 0,
    depth: LOSSLESS.test(reported.codec_name ?? '') ? bits : 16,
  }
}

const positive = (text: unknown) => (Number(text) > 0 ? Number(text) : undefined)

function fraction(text: unknown, by: string): number | undefined {
  const [above, below] = String(text).split(by).map(Number)
  return above! > 0 && below! > 0 ? above! / below! : undefined
}
