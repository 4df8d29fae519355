import { fail } from '../../kernel/kit.ts'

/** How FFmpeg complains about files that end too early. */
const BROKEN_OFF = /partial file|File ended prematurely|: Input\/output error/
/** Demuxers of formats that store their exact duration. */
const EXACT = ['flac', 'wv', 'tta', 'ape', 'aiff', 'au']
/** Demuxers that only estimate the duration. */
const GUESSED = ['mp3', 'aac', 'ac3', 'dts', 'mpeg']
/** Seconds of audio or video that take more than half a kilobyte in any codec. */
const AUDIBLE = 30

/**
 * Refuses a result that is empty, or much shorter than its source claims to be, because the source is cut off. FFmpeg
 * itself reports success.
 *
 * @param lines what FFmpeg printed during the conversion
 * @param kind the streams that the result is about
 * @param seconds the expected duration, if it is known
 */
export function checkWhole(
  lines: readonly string[],
  kind: 'audio' | 'video',
  demuxer: string,
  seconds: number | undefined,
): void {
  const still = kind === 'video' && lines.findLast((line) => line.startsWith('frame=')) === 'frame=0'
  const none = still || lines.some((line) => line.includes('Output file is empty, nothing was encoded'))
  if (!seconds && none) throw fail('CONVERSION_ERROR', `The file holds no ${kind} that can be decoded`)
  if (!seconds) return
  const reached = lines.findLast((line) => line.startsWith('out_time_us='))
  const empty =
    none || (seconds > AUDIBLE && !GUESSED.includes(demuxer) && lines.some((line) => line.includes(`${kind}:0kB`)))
  const lasts = empty ? 0 : (Number(reached?.slice('out_time_us='.length)) || 0) / 1e6
  if (!none && seconds - lasts <= Math.max(1, 0.05 * seconds)) return
  if (lasts > 0 && !EXACT.includes(demuxer) && !lines.some((line) => BROKEN_OFF.test(line))) return
  const parts = `${Math.max(0, lasts).toFixed(1)} of ${seconds.toFixed(1)} seconds`
  throw fail('CONVERSION_ERROR', `The file is incomplete: it breaks off after ${parts}`)
}
