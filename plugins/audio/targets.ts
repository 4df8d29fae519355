import { type Coder, coders } from '../../engines/ffmpeg/coders.ts'
import type { Sound } from '../../engines/ffmpeg/media.ts'
import type { Args } from '../../kernel/contract.ts'

/** How to write an audio format. */
export interface Target {
  muxer: Args
  /** Encoder for a source. */
  coder: (source: Sound) => Coder
  /** Codecs that can be copied into it. */
  copies: readonly string[]
  /** Where it stores tags. Default: in the container, not in the streams. */
  tags?: 'stream'
  /** How it stores a picture: as a stream, in its own tag, or as an attached file. */
  cover?: 'stream' | 'tag' | 'file'
  /** Maximum duration in seconds. */
  max?: number
}

const channels = (max: number) => Array.from({ length: max }, (_, index) => index + 1)
const some = (coder: Coder) => () => coder
const within = (coder: Coder, numbers: readonly number[], rates = coder.rates): Coder => ({
  ...coder,
  channels: numbers,
  ...(rates && { rates }),
})

/** Uncompressed samples; 24 bits if the source has more than 16. */
const pcm =
  (endian: 'le' | 'be') =>
  ({ depth }: Sound): Coder => ({ encoder: `pcm_s${depth > 16 ? 24 : 16}${endian}`, channels: channels(64) })

/** Lossless compression. `wide` supports more than 16 bits. */
const packed =
  (encoder: string, narrow: string, wide: string, max: number, more: Args = []) =>
  ({ depth }: Sound): Coder => ({
    encoder,
    channels: channels(max),
    more: [more, '-sample_fmt', depth > 16 ? wide : narrow],
  })

const flac = packed('flac', 's16', 's32', 8, ['-compression_level', 8])
const mp4 = (brand: string) => ['-f', 'ipod', '-brand', brand, '-movflags', '+faststart']

/** Targets that ffmpeg writes itself, with its names of muxers and codecs. */
export const targets: Readonly<Record<string, Target>> = {
  mp3: {
    muxer: ['-f', 'mp3', '-id3v2_version', 3, '-write_xing', 1],
    coder: some(coders.mp3),
    copies: ['mp3'],
    cover: 'stream',
  },
  wav: {
    muxer: ['-f', 'wav', '-rf64', 'auto'],
    coder: pcm('le'),
    copies: ['pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_u8', 'pcm_f32le'],
  },
  flac: { muxer: ['-f', 'flac'], coder: flac, copies: ['flac'], cover: 'stream' },
  // Its headers support 1 to 6 and 8 channels; players support three of these.
  aac: { muxer: ['-f', 'adts'], coder: some(within(coders.aac, [1, 2, 6])), copies: ['aac'] },
  m4a: { muxer: mp4('M4A '), coder: some(coders.aac), copies: ['aac', 'alac'], cover: 'stream' },
  m4b: { muxer: mp4('M4B '), coder: some(within(coders.aac, [1, 2])), copies: ['aac', 'alac'], cover: 'stream' },
  // Phones accept ringtones of up to 40 seconds.
  m4r: {
    muxer: ['-t', 40, mp4('M4A ')],
    max: 40,
    coder: some(within(coders.aac, [1, 2], [16000, 22050, 24000, 32000, 44100, 48000])),
    copies: [],
  },
  ogg: { muxer: ['-f', 'ogg'], coder: some(coders.vorbis), copies: ['vorbis'], tags: 'stream', cover: 'tag' },
  opus: { muxer: ['-f', 'opus'], coder: some(coders.opus), copies: ['opus'], tags: 'stream', cover: 'tag' },
  spx: { muxer: ['-f', 'spx'], coder: some(coders.speex), copies: ['speex'], tags: 'stream' },
  wma: { muxer: ['-f', 'asf'], coder: some(coders.wma), copies: ['wmav1', 'wmav2'] },
  aiff: {
    muxer: ['-f', 'aiff', '-write_id3v2', 1],
    coder: pcm('be'),
    copies: ['pcm_s16be', 'pcm_s24be'],
    cover: 'stream',
  },
  ac3: { muxer: ['-f', 'ac3'], coder: some(coders.ac3), copies: ['ac3'] },
  au: { muxer: ['-f', 'au'], coder: pcm('be'), copies: ['pcm_s16be', 'pcm_mulaw', 'pcm_alaw'] },
  caf: { muxer: ['-f', 'caf'], coder: pcm('le'), copies: ['pcm_s16le', 'pcm_s24le', 'alac'] },
  mp2: { muxer: ['-f', 'mp2'], coder: some(coders.mp2), copies: ['mp2'] },
  mka: {
    muxer: ['-f', 'matroska'],
    coder: flac,
    copies: ['flac', 'mp3', 'mp2', 'aac', 'ac3', 'eac3', 'dts', 'opus', 'vorbis', 'wavpack', 'tta', 'truehd'],
    cover: 'file',
  },
  weba: { muxer: ['-f', 'webm'], coder: some(coders.opus), copies: ['opus', 'vorbis'] },
  wv: { muxer: ['-f', 'wv'], coder: packed('wavpack', 's16p', 's32p', 64), copies: ['wavpack'] },
  tta: { muxer: ['-f', 'tta'], coder: packed('tta', 's16', 's32', 8), copies: ['tta'] },
}
