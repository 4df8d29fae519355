import { headOf } from '../../engines/ffmpeg/heads/heads.ts'
import type { Plugin } from '../../kernel/contract.ts'
import { picturesFit, soundsFit } from './copying.ts'
import { soundsFor } from './look.ts'
import type { VideoOptions } from './options.ts'
import { targets } from './targets.ts'

/** Bytes up to which a copy ends well within the time limit of light jobs, also if both files pass a line of 100 Mbit/s. */
const MOST = 200_000_000

/** The only codec of pictures that `headOf` describes. */
const PICTURE = 'h264'

/** Whether a job only copies the streams of a plain file. Reads the file only if that may be. */
export const light: NonNullable<Plugin<VideoOptions>['light']> = async ({ peek, ...job }) => {
  const { crf, bitrate, audioBitrate } = job.options
  const target = targets[job.to]
  const encodes = crf !== undefined || bitrate !== undefined || audioBitrate !== undefined
  if (!target?.copies.picture.includes(PICTURE) || encodes || job.size > MOST) return false
  const read = headOf(job.from)
  const media = read && (await peek(read))
  if (!media) return false
  return picturesFit(media, target, job) && soundsFit(media, soundsFor(media, target, job.options), target, job)
}
