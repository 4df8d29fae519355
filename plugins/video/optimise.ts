import { cp } from '../../engines/cp.ts'
import { look } from '../../engines/ffmpeg/look.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import { convert } from './convert.ts'
import { asksPicture } from './copying.ts'
import type { VideoOptions } from './options.ts'
import { targets } from './targets.ts'

/**
 * Writes all streams anew as they are, without padding and with the index in front; or makes of them what the options
 * say. Without those, a result that is not smaller, or not whole, gives way to the source.
 */
export async function optimise(job: Job<VideoOptions>, run: Run): Promise<void> {
  const media = await look(job, run)
  const { audioBitrate, stripAudio } = job.options
  const asked = (media.video && asksPicture(media.video, job.options)) || audioBitrate !== undefined || stripAudio
  if (asked) return convert(job, run)
  const all = ['-map', 0, '-c', 'copy', '-map_metadata', 0, '-map_chapters', 0]
  try {
    await run(ffmpeg, ['-f', media.demuxer, '-i', all, '-max_muxing_queue_size', 4096, targets[job.to]!.muxer])
    if (await better()) return
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
  }
  await run(cp, [])

  async function better(): Promise<boolean> {
    const wanted = ['-show_entries', 'format=size,duration']
    const lines = await run(ffprobe, ['-f', media.demuxer, wanted], { input: job.output })
    const { size, duration } = JSON.parse(lines.join('\n')).format as { size: string; duration?: string }
    return Number(size) < job.size && Math.abs(Number(duration ?? 0) - (media.seconds ?? 0)) < 0.1
  }
}
