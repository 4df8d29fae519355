import type { Plugin, Preset } from '../../kernel/contract.ts'

/** Options of audio targets. */
export interface AudioOptions {
  bitrate?: number
  sampleRate?: number
  channels?: 1 | 2 | 6
  normalize?: boolean
}

/** Lossy targets, with a bit rate to choose. */
const lossy = ['mp3', 'aac', 'm4a', 'm4b', 'm4r', 'ogg', 'opus', 'spx', 'wma', 'amr', 'ac3', 'mp2', 'weba']

/** Lossless targets. Their samples determine the bit rate. */
const lossless = ['wav', 'flac', 'aiff', 'au', 'caf', 'mka', 'wv', 'tta']

/** Targets with only one sample rate: 48,000 Hz, and 8,000 Hz for amr. */
const fixedRate = ['opus', 'weba', 'amr']

export const options: Plugin<AudioOptions>['options'] = {
  bitrate: {
    title: 'Bit rate',
    unit: 'kbit/s',
    type: 'integer',
    minimum: 8,
    maximum: 512,
    implied: true,
    // The best mode of amr has 12.2 kbit/s, which is the nearest to 12.
    defaults: {
      mp3: 192,
      mp2: 192,
      ac3: 192,
      aac: 160,
      m4a: 160,
      m4r: 160,
      ogg: 160,
      wma: 160,
      opus: 128,
      weba: 128,
      m4b: 96,
      amr: 12,
    },
    effect: lossy,
    description:
      'Bit rate in kbit/s; the nearest that the codec, the sample rate and the channels allow. Lossless targets ignore it.',
  },
  sampleRate: {
    title: 'Sample rate',
    unit: 'Hz',
    type: 'integer',
    enum: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 88200, 96000, 192000],
    effect: [...lossy, ...lossless].filter((target) => !fixedRate.includes(target)),
    description: 'Sample rate in Hz; the nearest lower one that the codec allows. Default: as the source.',
  },
  channels: {
    title: 'Channels',
    type: 'integer',
    enum: [1, 2, 6],
    effect: [...lossy, ...lossless].filter((target) => target !== 'amr'),
    description:
      'Number of channels. They are mixed down, never added; at most as many as the target holds. Default: as the source.',
  },
  normalize: {
    title: 'Even out loudness',
    type: 'boolean',
    default: false,
    description: 'Two-pass loudness by EBU R 128 to -16 LUFS with a true peak of -1.5 dBTP.',
  },
}

/** For people who do not know what the numbers mean. */
export const presets: readonly Preset<AudioOptions>[] = [
  { name: 'smaller', title: 'Smaller', options: { bitrate: 96 } },
  { name: 'balanced', title: 'Balanced', options: {} },
  { name: 'best', title: 'Best', options: { bitrate: 256 } },
]
