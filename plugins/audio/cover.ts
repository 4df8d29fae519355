import { coverTag } from '../../engines/cover-tag.ts'
import type { Picture } from '../../engines/ffmpeg/media.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Args, Facts, Step, StepState } from '../../kernel/contract.ts'
import { type Known, known } from './look.ts'
import type { AudioOptions } from './options.ts'

const kinds: Readonly<Record<string, string>> = { mjpeg: 'jpeg', png: 'png' }
const kindOf = ({ codec }: Picture) => kinds[codec ?? ''] ?? 'jpeg'

const written = (_: unknown, __: unknown, { output }: StepState<Known>): Partial<Facts<Known>> => ({
  more: { coverFile: output },
})

/** Extracts the cover for targets that store it as a file or as a tag. Omits a cover that cannot be extracted. */
export const takeCover: readonly Step<AudioOptions, Known>[] = [
  {
    engine: ffmpeg,
    input: 'source',
    output: 'cover.picture',
    optional: true,
    when: { more: { cover: ['file', 'tag'] } },
    args: (_, { facts }) => {
      const { demuxer, cover } = known(facts).media
      return ['-f', demuxer, '-i', '-map', `0:${cover!.index}`, '-c:v', 'copy', '-frames:v', 1, '-f', 'image2pipe']
    },
    facts: (lines, job, now) => (known(now.facts).cover === 'file' ? written(lines, job, now) : {}),
  },
  {
    engine: coverTag,
    output: 'cover.tags',
    optional: true,
    when: { written: 'cover.picture', more: { cover: ['tag'] } },
    args: (_, { facts }) => {
      const cover = known(facts).media.cover!
      return [`image/${kindOf(cover)}`, cover.width, cover.height]
    },
    facts: written,
  },
]

/** Adds the cover: a further input, and arguments of the output. */
export function coverArgs({ media, cover: kept, coverFile: file }: Known): { input: Args; output: Args } {
  const cover = media.cover!
  if (kept === 'stream')
    return { input: [], output: ['-map', `0:${cover.index}`, '-c:v', 'copy', '-disposition:v:0', 'attached_pic'] }
  if (!file) return { input: [], output: [] }
  if (kept === 'tag') return { input: ['-f', 'ffmetadata', '-i', file], output: ['-map_metadata:s:a:0', 1] }
  const kind = kindOf(cover)
  const name = `filename=cover.${kind === 'jpeg' ? 'jpg' : kind}`
  return {
    input: [],
    output: ['-attach', file, '-metadata:s:t:0', `mimetype=image/${kind}`, '-metadata:s:t:0', name],
  }
}
