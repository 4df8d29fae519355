import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Run } from '../../kernel/contract.ts'

/** Goals by EBU R 128: loudness in LUFS, true peak in dBTP. */
const goal = 'loudnorm=I=-16:TP=-1.5'

/** What the first pass measured, in the filter's own words. */
interface Measured {
  input_i: string
  input_tp: string
  input_lra: string
  input_thresh: string
  target_offset: string
}

/**
 * Measures the sound that `input` names, as it will be heard, and gives the filter that sets its loudness. Silence,
 * and what is shorter than the 0.4 seconds that a measure takes, stays as it is.
 */
export async function levelling(run: Run, file: string, input: Args, filters: readonly string[]): Promise<string[]> {
  const filter = [...filters, `${goal}:LRA=11:print_format=json`].join(',')
  const lines = await run(ffmpeg, [input, '-af', filter, '-f', 'null'], { input: file, output: '-' })
  const start = lines.findLastIndex((line) => line.trim() === '{')
  const end = lines.findIndex((line, index) => index > start && line.trim() === '}')
  if (start < 0 || end < 0) return []
  const told = JSON.parse(lines.slice(start, end + 1).join('\n')) as Measured
  if (!(Number(told.input_i) >= -70)) return []
  const measured = `measured_I=${told.input_i}:measured_TP=${told.input_tp}:measured_thresh=${told.input_thresh}`
  const range = `measured_LRA=${told.input_lra}:LRA=${Math.min(Math.max(11, Number(told.input_lra)), 50)}`
  return [`${goal}:${measured}:${range}:offset=${told.target_offset}:linear=true`]
}
