import type { Media, Picture, Sound, Stream } from './media.ts'

const PLACE = 'com.apple.quicktime.location.ISO6709'

/** Arguments that make ffprobe print what `readMedia` reads. */
export const entries = [
  '-show_entries',
  [
    'stream=index,codec_type,codec_name,codec_tag_string,width,height,pix_fmt,field_order,color_transfer,level',
    'r_frame_rate,avg_frame_rate,nb_frames,sample_aspect_ratio,duration,sample_fmt,sample_rate,channels,bits_per_raw_sample',
  ].join(',') +
    ':stream_tags=language,comment,filename,alpha_mode,Cover Art (Front):stream_disposition=attached_pic:stream_side_data=side_data_type,rotation,displaymatrix' +
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
  format?: { duration?: string; size?: string; tags?: Record<string, string> }
}

const LOSSLESS = /^(pcm_|flac|alac|wavpack|tta|ape|truehd|mlp|wmalossless|dsd_|dst)/
const CLEAR: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }
const LOCKED = /encryption/i

/** The JSON among ffprobe's lines, without its warnings, which can have several lines. @throws SyntaxError */
const parsed = (lines: readonly string[]): Report =>
  JSON.parse(lines.filter((line) => /^[{} ]/.test(line)).join('\n')) as Report

/** Reads what ffprobe printed for `entries`. Throws SyntaxError if it is not JSON. */
export function readMedia(demuxer: string, lines: readonly string[]): Media {
  const reported = parsed(lines)
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
    pictures,
    covers: pictures.filter(({ cover }) => cover).sort((one, other) => Number(other.front) - Number(one.front)),
    strangeCovers: lines.some((line) => /^\[.*mimetype/.test(line)),
    sounds: heard.map(sound),
    subtitles: streams.filter(({ codec_type }) => codec_type === 'subtitle').map(stream),
    locked:
      sides.some(({ side_data_type }) => LOCKED.test(String(side_data_type))) ||
      streams.some(({ codec_tag_string }) => /^(drm[si]|enc[avst]|aavd)$/.test(codec_tag_string ?? '')) ||
      lines.some((line) => line.includes('DRM protected stream')),
    place: /^[-+][-+.\d]{3,60}\/?$/.exec(reported.format?.tags?.[PLACE] ?? '')?.[0],
    unknown: dead.map((one) => String(one.codec_name ?? one.codec_tag_string ?? 'unknown')),
  }
}

/** Arguments that make ffprobe print what `readLength` reads. */
export const lengthEntries = ['-show_entries', 'format=size,duration']

/** Bytes of a file, and its seconds, 0 if it does not tell them. Throws SyntaxError if the lines are not JSON. */
export function readLength(lines: readonly string[]): { bytes: number; seconds: number } {
  const { size, duration } = parsed(lines).format ?? {}
  return { bytes: Number(size), seconds: Number(duration ?? 0) }
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
    clear: reported.tags?.alpha_mode === '1' ? CLEAR[reported.codec_name ?? ''] : undefined,
    turned: sides.some(({ rotation }) => Number(rotation) % 360 !== 0),
    aspect: fraction(reported.sample_aspect_ratio, ':') ?? 1,
    rate: rateOf(reported),
    uneven: reported.r_frame_rate !== reported.avg_frame_rate,
    frames: positive(reported.nb_frames),
    level: Number(reported.level) || 0,
    cover: reported.disposition?.attached_pic === 1,
    front: isFront(reported.tags ?? {}),
  }
}

/** By the type in ID3, FLAC and ASF, the name of the tag in APE, the file's name in Matroska. */
const isFront = ({ comment, filename, ...tags }: Record<string, string>) =>
  comment === 'Cover (front)' || 'Cover Art (Front)' in tags || /^(small_)?cover\./i.test(filename ?? '')

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
