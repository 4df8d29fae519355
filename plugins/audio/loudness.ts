import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Facts, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import { chosen, isDecoded, type Known, known, type Measured, opened } from './look.ts'
import type { AudioOptions } from './options.ts'

/** Targets by EBU R 128: loudness in LUFS, true peak in dBTP. */
const goal = { loudness: -16, peak: -1.5 }
/** Blocks below this level in LUFS do not count (ITU-R BS.1770). The meter reports it for silence. */
const SILENCE = -70

const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1' }

/** Fills gaps of Windows Media. */
export const gapless = (it: Known): string[] =>
  it.media.demuxer === 'asf' && !isDecoded(it) ? ['aresample=async=1'] : []

/** Filters before the meter: fill gaps, mix channels. */
const prepared = (it: Known): string[] => [
  ...gapless(it),
  ...(it.channels < it.sound.channels ? [`aformat=channel_layouts=${layouts[it.channels] ?? `${it.channels}c`}`] : []),
]

const gain = ({ loudness }: Measured) => goal.loudness - loudness

/** loudnorm adjusts the gain over time, and may miss the target. */
const follow = ({ loudness, threshold, range, peak }: Measured) => {
  const values = `measured_I=${loudness}:measured_TP=${peak}:measured_thresh=${threshold}`
  return `loudnorm=I=${goal.loudness}:TP=${goal.peak}:${values}:measured_LRA=${range}:LRA=${Math.min(Math.max(11, range), 50)}`
}

/**
 * Measures with FFmpeg's own meter. It does not use the figures of loudnorm's first pass: on short audio with rising
 * volume they are 1 LU off.
 */
const meter = (it: Known, filters: readonly string[]): Args => [
  [opened(it), chosen(it), '-af', [...filters, 'ebur128=peak=true:framelog=verbose'].join(','), '-f', 'null'],
]

/**
 * Reads the figures that the meter printed.
 *
 * @throws CONVERSION_ERROR if the audio cannot be measured. It is never passed on unchanged instead.
 */
export function readMeter(lines: readonly string[]): Measured {
  // The summary is the last output of the filter. Its first threshold is that of the loudness.
  const summary = lines.slice(lines.findLastIndex((line) => /Integrated loudness:/.test(line)))
  const value = (name: string) => {
    const text = summary.map((line) => new RegExp(`^\\s+${name}:\\s+(-?inf|-?[\\d.]+) `).exec(line)?.[1]).find(Boolean)
    if (text === undefined) throw fail('CONVERSION_ERROR', 'The loudness of the sound could not be measured')
    return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text)
  }
  return { loudness: value('I'), threshold: value('Threshold'), range: value('LRA'), peak: value('Peak') }
}

function measuredBy(lines: readonly string[]): Partial<Facts<Known>> {
  const measured = readMeter(lines)
  const clips = measured.loudness > SILENCE && measured.peak + gain(measured) > goal.peak
  return { more: { measured, clips } }
}

/** Measures the audio as heard and, if loudnorm must adjust it, the result of loudnorm. */
export const measure: readonly Step<AudioOptions, Known>[] = [
  {
    engine: ffmpeg,
    output: false,
    when: { options: { normalize: [true] } },
    heavy: { more: { long: [true] } },
    args: (_, { facts }) => meter(known(facts), prepared(known(facts))),
    facts: measuredBy,
  },
  {
    engine: ffmpeg,
    output: false,
    when: { more: { clips: [true] } },
    args: (_, { facts }) => meter(known(facts), [...prepared(known(facts)), follow(known(facts).measured!)]),
    facts: (lines) => ({ more: { followed: readMeter(lines).loudness } }),
  },
]

/**
 * Returns filters that set the loudness to the target. Silence and audio shorter than one block of the meter (0.4
 * seconds) are not changed.
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
