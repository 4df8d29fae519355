import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Run } from '../../kernel/contract.ts'

/** Goals by EBU R 128: loudness in LUFS, true peak in dBTP. */
const goal = { loudness: -16, peak: -1.5, filter: 'loudnorm=I=-16:TP=-1.5' }

/** What a pass measured, in the filter's own words. */
interface Measured {
  input_i: string
  input_tp: string
  input_lra: string
  input_thresh: string
  target_offset: string
  output_i: string
}

/**
 * Measures the sound that `input` names, as it will be heard, and gives the filters that set its loudness. Silence,
 * and what is shorter than the 0.4 seconds that a measure takes, stays as it is.
 */
export async function levelling(run: Run, file: string, input: Args, filters: readonly string[]): Promise<string[]> {
  const first = await measure(run, file, input, [...filters, `${goal.filter}:LRA=11`])
  if (!first || !(Number(first.input_i) >= -70)) return []
  const measured = `measured_I=${first.input_i}:measured_TP=${first.input_tp}:measured_thresh=${first.input_thresh}`
  const range = `measured_LRA=${first.input_lra}:LRA=${Math.min(Math.max(11, Number(first.input_lra)), 50)}`
  const filter = `${goal.filter}:${measured}:${range}:offset=${first.target_offset}:linear=true`
  const gain = goal.loudness - Number(first.input_i)
  if (Number(first.input_tp) + gain <= goal.peak) return [filter]
  // With peaks in the way the filter follows the sound, and may miss: what it made is measured, and put right.
  const made = await measure(run, file, input, [...filters, filter])
  const missing = goal.loudness - Number(made?.output_i)
  if (!(Math.abs(missing) <= 6)) return [filter]
  return [filter, `volume=${missing.toFixed(2)}dB`, `alimiter=limit=${(10 ** (goal.peak / 20)).toFixed(4)}:level=false`]
}

async function measure(run: Run, file: string, input: Args, filters: readonly string[]): Promise<Measured | undefined> {
  const filter = `${filters.join(',')}:print_format=json`
  const lines = await run(ffmpeg, [input, '-af', filter, '-f', 'null'], { input: file, output: '-' })
  const start = lines.findLastIndex((line) => line.trim() === '{')
  const end = lines.findIndex((line, index) => index > start && line.trim() === '}')
  if (start < 0 || end < 0) return undefined
  return JSON.parse(lines.slice(start, end + 1).join('\n')) as Measured
}
