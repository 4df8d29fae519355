import type { Args } from '../../kernel/contract.ts'

/** What an encoder of sound can do. */
export interface Coder {
  /** FFmpeg's name of it. */
  encoder: string
  /** Sample rates in Hz, rising; all when left out. */
  rates?: readonly number[]
  /** The highest rate in Hz, where all up to it are allowed. */
  highest?: number
  /** Numbers of channels that it takes, rising. */
  channels: readonly number[]
  /** The nearest bit rate that it allows, in kbit/s; nothing for what loses nothing. */
  kbits?: (asked: number, rate: number, channels: number) => number
  /** The quality that stands for a bit rate, where that is not said itself. */
  quality?: (kbits: number, rate: number, channels: number) => string
  /** Further arguments. */
  more?: Args
  /** The filter that it needs, if any. */
  filter?: string
}

const mpegRates = [16000, 22050, 24000, 32000, 44100, 48000]
const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)
const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
const nearest = (table: readonly number[], value: number) =>
  table.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best))

const layer2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const layer2Low = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const layer3 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const dolby = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]

/** Encoders that lose something, by codec. */
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
    // Mono and stereo share a table, of which each lacks an end (ISO 11172-3 §2.4.2.3).
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
    // A frame of 1,024 samples holds 6,144 bits a channel (ISO 14496-3 §4.5.3).
    kbits: (asked, rate, channels) => clamp(asked, 8 * channels, Math.min(512, Math.floor(0.006 * rate * channels))),
  },
  vorbis: {
    encoder: 'libvorbis',
    highest: 192_000,
    channels: upTo(8),
    // Bit rates outside of a window that depends on everything make it fail; qualities never do.
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
    // It refuses the layouts with side channels that AC-3 usually has.
    filter: 'aformat=channel_layouts=mono|stereo|3.0|quad|5.0|5.1|6.1|7.1',
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

/** Nearest rate to the one wanted: the next lower when it was asked for, else the next higher. */
export function rateFor({ rates, highest = Infinity }: Coder, source: number, asked?: number): number {
  if (!rates) return Math.min(asked ?? source, highest)
  if (asked) return rates.findLast((rate) => rate <= asked) ?? rates[0]!
  return rates.find((rate) => rate >= source) ?? rates.at(-1)!
}

/** As many channels as there are or were asked for, and as the encoder takes. */
export const channelsFor = ({ channels }: Coder, source: number, asked = source): number =>
  channels.findLast((number) => number <= Math.min(source, asked)) ?? channels[0]!

/**
 * Arguments of an encoder for one stream; `kbits` is what was asked for or is usual.
 *
 * @param at Which sound of the output they are for, as `:0`. Default: all.
 */
export function encode(coder: Coder, rate: number, channels: number, kbits: number | undefined, at = ''): Args {
  const allowed = kbits !== undefined && coder.kbits?.(kbits, rate, channels)
  const quality = kbits !== undefined && coder.quality?.(kbits, rate, channels)
  return [
    [`-c:a${at}`, coder.encoder, coder.more, `-ar:a${at}`, rate, `-ac:a${at}`, channels],
    [quality && [`-q:a${at}`, quality], allowed && [`-b:a${at}`, `${allowed}k`]],
  ]
}
