import { type Coder, coders } from '../../engines/ffmpeg/coders.ts'
import type { Args } from '../../kernel/contract.ts'
import { type Codec, codecs } from './codecs.ts'
import { quickTimeLanguages } from './languages.ts'

/** Names of codecs, as ffprobe prints them. */
interface Codecs {
  picture: readonly string[]
  sound: readonly string[]
}

/** How to write a video format. */
export interface Target {
  muxer: Args
  codec: Codec
  coder: Coder
  /** Usual bit rates of audio in kbit/s: of stereo, and of more channels. */
  kbits?: readonly [number, number]
  /** Codecs that are copied into it from other formats. */
  copies: Codecs
  /** Codecs that are kept when a file of this format is made smaller. Default: `copies`. */
  keeps?: Codecs
  /** Whether it stores no frame times, so that they must be even; a list: the frame rates that it supports. */
  even?: true | readonly string[]
  /** Whether it takes all audio streams, not only the first. */
  sounds?: true
  /** Its own codes of languages, by the usual ones. */
  languages?: Readonly<Record<string, string>>
  /** Whether it can store a cover picture. */
  cover?: true
  /** Whether it keeps the rotation matrix. */
  turns?: true
  /** Whether players expect high dynamic range and 10 bits in it. */
  deep?: true
  /** Encoder of text subtitles. */
  text?: string
  /** Subtitle codecs that can be copied into it. */
  subtitles?: readonly string[]
  /** Maximum size in pixels, whatever the options say: the long side and the short side. */
  box?: readonly [number, number]
}

/** Makes an encoder that respects the limits of the target. */
const within = (coder: Coder, max: number, rates = coder.rates): Coder => ({
  ...coder,
  channels: coder.channels.filter((number) => number <= max),
  ...(rates && { rates: rates.filter((rate) => rate <= 48_000) }),
})

const aac = within(coders.aac, 6)
const stereo = within(coders.aac, 2)
const mpegRates = [32_000, 44_100, 48_000]
const pcm: Coder = { encoder: 'pcm_s16le', rates: [48_000], channels: [1, 2, 3, 4, 5, 6, 7, 8] }

/** Frame rates that MPEG-2 supports (ISO 13818-2 table 6-4). */
const mpeg2Rates = ['24000/1001', '24', '25', '30000/1001', '30', '50', '60000/1001', '60']

const mp4 = {
  codec: codecs.h264,
  coder: aac,
  kbits: [128, 384],
  sounds: true,
  turns: true,
  deep: true,
  text: 'mov_text',
} as const

const telephone = {
  ...mp4,
  coder: stereo,
  kbits: [96, 96],
  codec: codecs.baseline,
  box: [640, 480],
  copies: { picture: ['h264'], sound: ['aac'] },
} as const
const { sounds: _sounds, deep: _deep, text: _text, ...simple } = telephone

export const targets: Readonly<Record<string, Target>> = {
  mp4: {
    ...mp4,
    cover: true,
    muxer: ['-f', 'mp4', '-movflags', '+faststart'],
    // Codecs that phones and browsers play. The container supports more: files keep them, but other files do not get
    // them.
    copies: { picture: ['h264', 'hevc'], sound: ['aac'] },
    keeps: {
      picture: ['h264', 'hevc', 'av1', 'mpeg4'],
      sound: ['aac', 'mp3', 'ac3', 'eac3', 'alac', 'opus', 'flac'],
    },
  },
  mov: {
    ...mp4,
    languages: quickTimeLanguages,
    muxer: ['-f', 'mov', '-movflags', '+faststart'],
    copies: {
      picture: ['h264', 'hevc', 'mpeg4', 'prores', 'mjpeg', 'dvvideo'],
      sound: ['aac', 'mp3', 'ac3', 'alac', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le'],
    },
  },
  mkv: {
    codec: codecs.h264,
    coder: aac,
    kbits: [128, 384],
    sounds: true,
    deep: true,
    text: 'srt',
    muxer: ['-f', 'matroska'],
    copies: {
      picture: [
        'h264',
        'hevc',
        'av1',
        'vp8',
        'vp9',
        'mpeg4',
        'mpeg2video',
        'mpeg1video',
        'theora',
        'ffv1',
        'msmpeg4v2',
        'msmpeg4v3',
      ],
      sound: [
        'aac',
        'mp3',
        'mp2',
        'ac3',
        'eac3',
        'dts',
        'opus',
        'vorbis',
        'flac',
        'pcm_s16le',
        'pcm_s24le',
        'truehd',
        'wavpack',
        'tta',
      ],
    },
    subtitles: ['subrip', 'ass', 'webvtt', 'hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle'],
  },
  webm: {
    codec: codecs.vp9,
    coder: coders.opus,
    kbits: [112, 256],
    sounds: true,
    deep: true,
    text: 'webvtt',
    muxer: ['-f', 'webm'],
    copies: { picture: ['vp8', 'vp9', 'av1'], sound: ['opus', 'vorbis'] },
  },
  avi: {
    codec: codecs.xvid,
    coder: within(coders.mp3, 2, mpegRates),
    kbits: [160, 160],
    even: true,
    muxer: ['-f', 'avi'],
    copies: { picture: ['mpeg4', 'mjpeg', 'msmpeg4v2', 'msmpeg4v3'], sound: ['mp3', 'ac3', 'mp2', 'pcm_s16le'] },
  },
  wmv: {
    codec: codecs.wmv,
    coder: coders.wma,
    kbits: [160, 160],
    muxer: ['-f', 'asf'],
    copies: { picture: ['wmv1', 'wmv2', 'wmv3', 'vc1'], sound: ['wmav1', 'wmav2', 'wmapro'] },
  },
  flv: {
    codec: codecs.h264,
    coder: stereo,
    kbits: [128, 128],
    muxer: ['-f', 'flv'],
    copies: { picture: ['h264', 'flv1', 'vp6f'], sound: ['aac', 'mp3'] },
  },
  mpg: {
    codec: codecs.mpeg2,
    coder: within(coders.mp2, 2, mpegRates),
    kbits: [192, 192],
    even: mpeg2Rates,
    muxer: ['-f', 'vob'],
    copies: { picture: [], sound: [] },
  },
  ts: {
    codec: codecs.h264,
    coder: aac,
    kbits: [128, 384],
    sounds: true,
    muxer: ['-f', 'mpegts'],
    copies: { picture: ['h264', 'hevc', 'mpeg2video'], sound: ['aac', 'mp3', 'mp2', 'ac3', 'eac3'] },
  },
  m2ts: {
    codec: codecs.h264,
    coder: coders.ac3,
    kbits: [192, 448],
    muxer: ['-f', 'mpegts', '-mpegts_m2ts_mode', 1],
    copies: { picture: ['h264', 'hevc', 'mpeg2video'], sound: ['ac3', 'eac3'] },
  },
  '3gp': { ...simple, muxer: ['-f', '3gp', '-movflags', '+faststart'] },
  '3g2': { ...simple, muxer: ['-f', '3g2', '-movflags', '+faststart'] },
  ogv: {
    codec: codecs.theora,
    coder: coders.vorbis,
    kbits: [192, 448],
    even: true,
    muxer: ['-f', 'ogv'],
    copies: { picture: ['theora'], sound: ['vorbis', 'opus', 'flac', 'speex'] },
  },
  mxf: {
    codec: codecs.studio,
    coder: pcm,
    even: mpeg2Rates,
    muxer: ['-f', 'mxf'],
    copies: { picture: [], sound: [] },
  },
}
