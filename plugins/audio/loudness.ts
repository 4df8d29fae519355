import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Facts, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { chosen, type Known, known, opened } from './look.ts'
import type { AudioOptions } from './options.ts'

/** Goals by EBU R 128: loudness in LUFS, true peak in dBTP. */
const goal = { loudness: -16, peak: -1.5 }
/** LUFS below which no block counts (ITU-R BS.1770): the meter's value for silence. */
const SILENCE = -70

/** What a pass measured: loudness and threshold in LUFS, range in LU, true peak in dBTP. */
interface Measured {
  loudness: number
  threshold: number
  range: number
  peak: number
}

/** What the passes over a sound have found. */
export type Loudness = {
  measured?: Measured
  /** Whether a mere change of volume would clip peaks. */
  clips?: boolean
  /** LUFS after loudnorm has followed the sound. */
  followed?: number
}

const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1' }

/** Fills gaps of Windows Media. */
export const gapless = ({ media, speech }: Known): string[] =>
  media.demuxer === 'asf' && !speech ? ['aresample=async=1'] : []

/** Filters before the meter: gaps filled, channels mixed. */
const prepared = (it: Known): string[] => [
  ...gapless(it),
  ...(it.channels < it.sound.channels ? [`aformat=channel_layouts=${layouts[it.channels] ?? `${it.channels}c`}`] : []),
]

const gain = ({ loudness }: Measured) => goal.loudness - loudness

/** loudnorm follows the sound, and may miss the goal. */
const follow = ({ loudness, threshold, range, peak }: Measured) => {
  const values = `measured_I=${loudness}:measured_TP=${peak}:measured_thresh=${threshold}`
  return `loudnorm=I=${goal.loudness}:TP=${goal.peak}:${values}:measured_LRA=${range}:LRA=${Math.min(Math.max(11, range), 50)}`
}

/**
 * Measures by FFmpeg's own meter. The figures of loudnorm's first pass are not used: on a short sound that grows louder
 * they are 1 LU off.
 */
const meter = (it: Known, filters: readonly string[]): Args => [
  [opened(it), chosen(it), '-af', [...filters, 'ebur128=peak=true:framelog=verbose'].join(','), '-f', 'null'],
]

/**
 * The figures that the meter printed.
 *
 * @throws CONVERSION_ERROR when the sound cannot be measured: it is never passed on unchanged instead.
 */
export function readMeter(lines: readonly string[]): Measured {
  // The summary is the last that the filter prints. Its first threshold is that of the loudness.
  const summary = lines.slice(lines.findLastIndex((line) => /Integrated loudness:/.test(line)))
  const value = (name: string) => {
    const text = summary.map((line) => new RegExp(`^\\s+${name}:\\s+(-?inf|-?[\\d.]+) `).exec(line)?.[1]).find(Boolean)
    if (text === undefined) throw fail('CONVERSION_ERROR', 'The loudness of the sound could not be measured')
    return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text)
  }
  return { loudness: value('I'), threshold: value('Threshold'), range: value('LRA'), peak: value('Peak') }
}

function measuredBy(lines: readonly string[]): Partial<Facts> {
  const measured = readMeter(lines)
  const clips = measured.loudness > SILENCE && measured.peak + gain(measured) > goal.peak
  return { more: { measured, clips } }
}

/** Measures the sound as people will hear it and, where loudnorm has to follow it, what that makes of it. */
export const measure: readonly Step<AudioOptions>[] = [
  {
    ...{ engine: ffmpeg, output: false, when: { options: { normalize: [true] } } },
    args: (_, { facts }) => meter(known(facts), prepared(known(facts))),
    facts: measuredBy,
  },
  {
    ...{ engine: ffmpeg, output: false, when: { more: { clips: [true] } } },
    args: (_, { facts }) => meter(known(facts), [...prepared(known(facts)), follow(known(facts).measured!)]),
    facts: (lines) => ({ more: { followed: readMeter(lines).loudness } }),
  },
]

/**
 * The filters that set the loudness to the goal. Silence and sounds shorter than one block of the meter (0.4 seconds)
 * stay as they are.
 */
export function levelled(it: Known): string[] {
  const { measured, followed } = it
  if (!measured) return gapless(it)
  if (measured.loudness <= SILENCE) return prepared(it)
  if (followed === undefined) return [...prepared(it), volume(gain(measured))]
  const limit = `alimiter=limit=${(10 ** (goal.peak / 20)).toFixed(4)}:level=false`
  return [...prepared(it), follow(measured), volume(goal.loudness - followed), limit]
}

const volume = (decibels: number) => `volume=${decibels.toFixed(2)}dB`
