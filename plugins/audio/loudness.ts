import { failure } from '../../engines/ffmpeg/look.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Run } from '../../kernel/contract.ts'

/** Goals by EBU R 128: loudness in LUFS, true peak in dBTP. */
const goal = { loudness: -16, peak: -1.5 }
/** LUFS below which no block counts (ITU-R BS.1770): what the meter says of silence. */
const SILENCE = -70

/** What a pass measured: loudness and threshold in LUFS, range in LU, true peak in dBTP. */
interface Measured {
  loudness: number
  threshold: number
  range: number
  peak: number
}

/**
 * Measures the sound that `input` names, as people will hear it, and returns the filters that set its loudness. Silence
 * and sounds shorter than one block of the meter (0.4 seconds) stay as they are.
 *
 * Rejects with CONVERSION_ERROR when the sound cannot be measured: it is never passed on unchanged instead.
 */
export async function levelling(run: Run, file: string, input: Args, filters: readonly string[]): Promise<string[]> {
  const found = await measure(run, file, input, filters)
  if (found.loudness <= SILENCE) return []
  const gain = goal.loudness - found.loudness
  if (found.peak + gain <= goal.peak) return [volume(gain)]
  // Peaks are in the way: loudnorm follows the sound, and may miss. So its output is measured, and corrected.
  const values = `measured_I=${found.loudness}:measured_TP=${found.peak}:measured_thresh=${found.threshold}`
  const range = `measured_LRA=${found.range}:LRA=${Math.min(Math.max(11, found.range), 50)}`
  const follow = `loudnorm=I=${goal.loudness}:TP=${goal.peak}:${values}:${range}`
  const made = await measure(run, file, input, [...filters, follow])
  const limit = `alimiter=limit=${(10 ** (goal.peak / 20)).toFixed(4)}:level=false`
  return [follow, volume(goal.loudness - made.loudness), limit]
}

const volume = (decibels: number) => `volume=${decibels.toFixed(2)}dB`

/**
 * Measures by FFmpeg's own meter. The figures of loudnorm's first pass are not used: on a short sound that grows louder
 * they are 1 LU off.
 */
async function measure(run: Run, file: string, input: Args, filters: readonly string[]): Promise<Measured> {
  const chain = [...filters, 'ebur128=peak=true:framelog=verbose'].join(',')
  const lines = await run(ffmpeg, [input, '-af', chain, '-f', 'null'], { input: file, output: '-' })
  // The summary is the last that the filter prints. Its first threshold is that of the loudness.
  const summary = lines.slice(lines.findLastIndex((line) => /Integrated loudness:/.test(line)))
  const value = (name: string) => {
    const text = summary.map((line) => new RegExp(`^\\s+${name}:\\s+(-?inf|-?[\\d.]+) `).exec(line)?.[1]).find(Boolean)
    if (text === undefined) throw failure('CONVERSION_ERROR', 'The loudness of the sound could not be measured')
    return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text)
  }
  return { loudness: value('I'), threshold: value('Threshold'), range: value('LRA'), peak: value('Peak') }
}
