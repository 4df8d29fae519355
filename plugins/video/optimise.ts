import { cp } from '../../engines/cp.ts'
import { lookAtResult } from '../../engines/ffmpeg/look.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Job, Run, Step } from '../../kernel/contract.ts'
import { unlessRefused } from '../../kernel/kit.ts'
import { convert } from './convert.ts'
import { type Known, known } from './look.ts'
import type { VideoOptions } from './options.ts'
import { targets } from './targets.ts'

/**
 * Remuxes all streams. Resolves to whether the result is better: smaller and with the same duration, or with the
 * duration and the index that recorders in browsers leave out.
 */
async function rewrite(job: Job<VideoOptions>, run: Run, { media }: Known): Promise<boolean> {
  const all = ['-map', 0, '-c', 'copy', '-map_metadata', 0, '-map_chapters', 0]
  await run(ffmpeg, ['-f', media.demuxer, '-i', all, '-max_muxing_queue_size', 4096, targets[job.to]!.muxer])
  const { bytes, seconds } = await lookAtResult(job, run, media.demuxer)
  if (media.seconds === undefined) return seconds > 0
  return bytes < job.size && Math.abs(seconds - media.seconds) < 0.1
}

/**
 * Converts according to the options. Without options, remuxes all streams without padding and with the index at the
 * start. A result that is not better, or not complete, is replaced by the source.
 */
export const optimise: readonly Step<VideoOptions, Known>[] = [
  ...convert,
  {
    engine: ffmpeg,
    uses: [ffprobe, cp],
    input: 'source',
    when: { more: { shrinks: [true] } },
    convert: async (job, run, { facts }) => {
      const better = await unlessRefused(rewrite(job, run, known(facts)))
      if (!better) await run(cp, [])
      return undefined
    },
  },
]
