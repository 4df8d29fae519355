import type { Args } from '../../kernel/contract.ts'

/** What an audio encoder supports. */
export interface Coder {
  /** FFmpeg's name. */
  encoder: string
  /** Sample rates in Hz, ascending. Default: all. */
  rates?: readonly number[]
  /** Highest sample rate in Hz, if all rates up to it are supported. */
  highest?: number
  /** Supported numbers of channels, ascending. */
  channels: readonly number[]
  /** The nearest supported bit rate, in kbit/s. Lossless encoders have none. */
  kbits?: (asked: number, rate: number, channels: number) => number
  /** The quality setting for a bit rate, for encoders that take no bit rate. */
  quality?: (kbits: number, rate: number, channels: number) => string
  /** Further arguments. */
  more?: Args
  /** The layouts of its channels, by their number, if it rejects others. */
  layouts?: readonly string[]
}

const mpegRates = [16000, 22050, 24000, 32000, 44100, 48000]
const upTo = (max: number) => Array.from({ length: max }, (_, index) => index + 1)
const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)
const nearest = (table: readonly number[], value: number) =>
  table.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best))

const layer2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const layer2Low = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const layer3 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const dolby = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]

/** Lossy encoders, by codec. */
export const coders: Readonly<Record<'mp3' | 'mp2' | 'aac' | 'vorbis' | 'opus' | 'speex' | 'wma' | 'ac3', Coder>> = {
  mp3: {
    encoder: 'libmp3lame',
    rates: [8000, 11025, 12000, ...mpegRates],
    channels: [1, 2],
    kbits: (asked, rate) =>
      nearest(rate >= 32000 ? layer3 : layer2Low.filter((one) => rate >= 16000 || one <= 64), asked),
  },
  mp2: {
    encoder: 'mp2',
    rates: mpegRates,
    channels: [1, 2],
    // Mono lacks the high rates of the table, stereo the low ones (ISO 11172-3 §2.4.2.3).
    kbits: (asked, rate, channels) =>
      nearest(
        rate >= 32000 ? layer2.filter((one) => (channels > 1 ? one >= 64 && one !== 80 : one <= 192)) : layer2Low,
        asked,
      ),
  },
  aac: {
    encoder: 'aac',
    rates: [8000, 11025, 12000, ...mpegRates, 64000, 88200, 96000],
    channels: upTo(6),
    // A frame of 1,024 samples holds at most 6,144 bits per channel (ISO 14496-3 §4.5.3).
    kbits: (asked, rate, channels) => clamp(asked, 8 * channels, Math.min(512, Math.floor(0.006 * rate * channels))),
  },
  vorbis: {
    encoder: 'libvorbis',
    highest: 192_000,
    channels: upTo(8),
    // It rejects bit rates outside a range that depends on the other settings, but accepts every quality.
    quality: (kbits, rate, channels) => {
      const pair = (((kbits * 44100) / rate) * 2) / channels
      return clamp((pair - 64) / 32, -1, 10).toFixed(2)
    },
  },
  opus: {
    encoder: 'libopus',
    rates: [48000],
    channels: upTo(8),
    kbits: (asked, _rate, channels) => clamp(asked, 6 * channels, 256 * channels),
    // AC-3 usually has side channels, and FFmpeg gives three and four channels other layouts.
    layouts: ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'],
  },
  speex: {
    encoder: 'libspeex',
    rates: [8000, 16000, 32000],
    channels: [1, 2],
    kbits: (asked) => clamp(asked, 8, 32),
  },
  wma: {
    encoder: 'wmav2',
    rates: [8000, 11025, 16000, 22050, 32000, 44100, 48000],
    channels: [1, 2],
    kbits: (asked) => clamp(asked, 24, 320),
  },
  ac3: {
    encoder: 'ac3',
    rates: [32000, 44100, 48000],
    channels: upTo(6),
    kbits: (asked, _rate, channels) =>
      nearest(
        dolby.filter((one) => one >= (channels > 2 ? 192 : 32 * channels)),
        asked,
      ),
  },
}

/** The best supported sample rate: the next lower than `asked`, or without it the next higher than the source's. */
export function rateFor({ rates, highest = Infinity }: Coder, source: number, asked?: number): number {
  if (!rates) return Math.min(asked ?? source, highest)
  if (asked) return rates.findLast((rate) => rate <= asked) ?? rates[0]!
  return rates.find((rate) => rate >= source) ?? rates.at(-1)!
}

/** The number of channels: what was asked for, at most what the source has, as far as the encoder supports it. */
export const channelsFor = ({ channels }: Coder, source: number, asked = source): number =>
  channels.findLast((number) => number <= Math.min(source, asked)) ?? channels[0]!

/** The filter for an encoder that rejects other layouts of this many channels. */
export const laidOut = ({ layouts }: Coder, channels: number): string[] =>
  layouts ? [`aformat=channel_layouts=${layouts[channels - 1]}`] : []

/**
 * Arguments of an encoder for one stream, after `laidOut`.
 *
 * @param kbits the bit rate that was asked for, or the usual one
 * @param at the audio stream of the output, such as `:0`. Default: all.
 */
export function encode(coder: Coder, rate: number, channels: number, kbits: number | undefined, at = ''): Args {
  const allowed = kbits !== undefined && coder.kbits?.(kbits, rate, channels)
  const quality = kbits !== undefined && coder.quality?.(kbits, rate, channels)
  return [
    [`-c:a${at}`, coder.encoder, coder.more, `-ar:a${at}`, rate, !coder.layouts && [`-ac:a${at}`, channels]],
    [quality && [`-q:a${at}`, quality], allowed && [`-b:a${at}`, `${allowed}k`]],
  ]
}
