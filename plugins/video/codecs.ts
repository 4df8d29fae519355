import type { Args } from '../../kernel/contract.ts'
import type { VideoOptions } from './options.ts'

/** A video encoder with its own scale of quality. */
export interface Codec {
  /** FFmpeg's name of the encoder. */
  encoder: string
  /** Arguments that do not depend on the options. */
  more?: Args
  /** Converts a rate factor on H.264's scale to the encoder's own scale. */
  quality: (crf: number) => Args
  /** Whether it takes frames at any time. Others count their frames by the clock, which must be the frame rate. */
  timely?: true
  /** Average in kbit/s. Default: the average without a further limit. */
  rate?: (kbits: number) => Args
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** Quantisers of older codecs double where the factor of H.264 grows by six. */
const quantiser = (crf: number) => ['-q:v:0', clamp(Math.floor(4.5 * 2 ** ((crf - 23) / 6)), 2, 31)]
const older = (encoder: string, ...more: (string | number)[]): Codec => ({ encoder, more, quality: quantiser })

/** An average that no two seconds exceed by more than half. */
const bounded = (kbits: number): Args => [
  ['-b:v:0', `${kbits}k`, '-maxrate', `${Math.round(kbits * 1.5)}k`, '-bufsize', `${kbits * 2}k`],
]

/** A constant bit rate for libvpx: with only an average, videos that are hard to encode get twice as much. */
const constant = (kbits: number): Args => [
  ['-b:v:0', '-minrate:v:0', '-maxrate:v:0', '-bufsize:v:0'].map((option) => [option, `${kbits}k`]),
  ['-undershoot-pct', 50, '-overshoot-pct', 50],
]

const h264: Codec = {
  encoder: 'libx264',
  more: ['-preset', 'veryfast'],
  // Lossless H.264 is a profile that browsers and phones refuse.
  quality: (crf) => ['-crf', Math.max(1, crf)],
  rate: bounded,
  timely: true,
}

export const codecs = {
  h264,
  /** For old phones. */
  baseline: { ...h264, more: [h264.more, '-profile:v:0', 'baseline', '-level', '3.0'] },
  vp9: {
    encoder: 'libvpx-vp9',
    // A third of the time of the other mode, at the same quality and with a fifth more bytes.
    more: ['-deadline', 'realtime', '-cpu-used', 6, '-row-mt', 1],
    quality: (crf) => ['-crf', clamp(33 + 2 * (crf - 23), 4, 63), '-b:v:0', 0],
    rate: constant,
    timely: true,
  },
  xvid: older('mpeg4', '-vtag', 'XVID'),
  wmv: older('wmv2'),
  mpeg2: older('mpeg2video', '-g', 15, '-bf', 2, '-maxrate', '9000k', '-bufsize', '1835k'),
  studio: older('mpeg2video', '-g', 12, '-bf', 0),
  theora: { encoder: 'libtheora', quality: (crf) => ['-q:v:0', clamp(7 - 0.4 * (crf - 23), 0, 10).toFixed(1)] },
} satisfies Record<string, Codec>

/** Returns arguments of an encoder for the requested quality or bit rate. */
export function encodePicture({ encoder, more, quality, rate }: Codec, { crf = 23, bitrate }: VideoOptions): Args {
  const size = bitrate === undefined ? quality(crf) : (rate?.(bitrate) ?? ['-b:v:0', `${bitrate}k`])
  return ['-c:v:0', encoder, '-pix_fmt:v:0', 'yuv420p', more, size]
}
