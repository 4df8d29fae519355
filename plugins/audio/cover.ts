import { coverTag } from '../../engines/cover-tag.ts'
import type { Media, Picture } from '../../engines/ffmpeg/media.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Job, Run } from '../../kernel/contract.ts'
import type { Target } from './targets.ts'

/** How a cover comes along: a further input, and arguments of the output. */
export interface Cover {
  input: Args
  output: Args
}

const none: Cover = { input: [], output: [] }
const kinds: Readonly<Record<string, string>> = { mjpeg: 'jpeg', png: 'png' }

/** Gets the cover ready for the way in which a target keeps one. What cannot be taken out is left out. */
export async function coverFor(job: Job, run: Run, media: Media, target: Target): Promise<Cover> {
  const { cover } = media
  if (!cover || !target.cover) return none
  if (target.cover === 'stream') return { input: [], output: streamed(cover) }
  const kind = kinds[cover.codec ?? ''] ?? 'jpeg'
  const [picture, tags] = [`${job.scratch}/cover.${kind}`, `${job.scratch}/cover.tags`]
  try {
    const one = ['-map', `0:${cover.index}`, '-c:v', 'copy', '-frames:v', 1, '-f', 'image2pipe']
    await run(ffmpeg, ['-f', media.demuxer, '-i', one], { output: picture })
    if (target.cover === 'file') return { input: [], output: attached(picture, kind) }
    await run(coverTag, [`image/${kind}`, cover.width, cover.height], { input: picture, output: tags })
    return { input: ['-f', 'ffmetadata', '-i', tags], output: ['-map_metadata:s:a:0', 1] }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
    return none
  }
}

const streamed = ({ index }: Picture): Args => [
  ['-map', `0:${index}`, '-c:v', 'copy', '-disposition:v:0', 'attached_pic'],
]

const attached = (path: string, kind: string): Args => [
  ['-attach', path, '-metadata:s:t:0', `mimetype=image/${kind}`],
  ['-metadata:s:t:0', `filename=cover.${kind === 'jpeg' ? 'jpg' : kind}`],
]
