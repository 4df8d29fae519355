import { headOf } from '../../engines/ffmpeg/heads/heads.ts'
import type { Plugin } from '../../kernel/contract.ts'
import { picturesFit, soundsFit } from './copying.ts'
import { soundsFor } from './look.ts'
import type { VideoOptions } from './options.ts'
import { targets } from './targets.ts'

/** Bytes up to which a copy of all streams takes seconds, also on a slow disk. */
const MOST = 1e9

/** Whether a job only copies the streams of a plain file. */
export const light: NonNullable<Plugin<VideoOptions>['light']> = async ({ peek, ...job }) => {
  const read = headOf(job.from)
  const media = job.size <= MOST && read && (await peek(read))
  if (!media) return false
  const target = targets[job.to]!
  return picturesFit(media, target, job) && soundsFit(media, soundsFor(media, target, job.options), target, job)
}
