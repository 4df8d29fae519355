import type { OptionRule, Plugin, Preset } from '../../kernel/contract.ts'
import { without } from '../formats/family.ts'
import { film } from '../formats/film/films.ts'

/** Options of video targets. Without options, streams are copied if the target supports them. */
export interface VideoOptions {
  resolution?: '720p' | '1080p'
  codec?: 'h264'
  crf?: number
  bitrate?: number
  framerate?: 24 | 30
  audioBitrate?: number
  stripAudio?: boolean
}

/** All targets of the category, without the formats that can only be read. */
const targets = without(film, ...['asf', 'f4v', 'vob', 'mts', 'dv', 'rm', 'rmvb', 'swf'])

/** Targets that support H.264. */
const h264 = ['mp4', 'mov', 'mkv', 'flv', 'ts', 'm2ts', '3gp', '3g2']

export const options: Plugin<VideoOptions>['options'] = {
  resolution: {
    title: 'Resolution',
    type: 'string',
    enum: ['720p', '1080p'],
    // 3gp and 3g2 always fit into 640×480.
    effect: targets.filter((target) => target !== '3gp' && target !== '3g2'),
    description:
      'Fits the picture into 1280×720 or 1920×1080 pixels, turned for portrait; never enlarges. Default: as the source.',
  },
  codec: {
    title: 'Codec',
    type: 'string',
    enum: ['h264'],
    effect: h264,
    description: 'Video codec, for mp4, mov, mkv, flv, ts, m2ts, 3gp and 3g2. Default: what suits the target.',
  },
  crf: {
    title: 'Compression (CRF)',
    type: 'integer',
    minimum: 0,
    maximum: 51,
    default: 23,
    implied: true,
    description:
      "Constant rate factor on H.264's scale, 0 (best) to 51, mapped to the codec's own; 0 counts as 1. It cannot be combined with bitrate.",
  },
  bitrate: {
    title: 'Bit rate',
    unit: 'kbit/s',
    type: 'integer',
    minimum: 100,
    maximum: 50_000,
    description: 'Average video bit rate in kbit/s. It cannot be combined with crf.',
  },
  framerate: {
    title: 'Frame rate',
    unit: 'fps',
    type: 'integer',
    enum: [24, 30],
    description: 'Frames a second. Default: as the source.',
  },
  audioBitrate: {
    title: 'Sound',
    unit: 'kbit/s',
    type: 'integer',
    minimum: 32,
    maximum: 512,
    implied: true,
    defaults: {
      mp4: 128,
      mkv: 128,
      webm: 112,
      mov: 128,
      avi: 160,
      wmv: 160,
      flv: 128,
      mpg: 192,
      ts: 128,
      m2ts: 192,
      '3gp': 96,
      '3g2': 96,
    },
    // mxf stores PCM.
    effect: targets.filter((target) => target !== 'mxf'),
    description:
      'Audio bit rate in kbit/s; the nearest that the codec and the channels allow. Surround sound gets more by default.',
  },
  stripAudio: { title: 'Remove the sound', type: 'boolean', default: false, description: 'Removes the sound.' },
}

/** For people who do not know what the numbers mean. */
export const presets: readonly Preset<VideoOptions>[] = [
  { name: 'smaller', title: 'Smaller', options: { crf: 30 } },
  { name: 'balanced', title: 'Balanced', options: {} },
  { name: 'best', title: 'Best', options: { crf: 17 } },
]

/** Combinations that contradict each other or the target. */
export const rules: OptionRule[] = [
  {
    forbid: { required: ['crf', 'bitrate'] },
    message: 'options.crf cannot be given together with options.bitrate: leave one of them out',
  },
  {
    to: targets.filter((target) => !h264.includes(target)),
    forbid: { required: ['codec'] },
    message: `options.codec h264 is possible only for ${h264.slice(0, -1).join(', ')} and ${h264.at(-1)}`,
  },
]
