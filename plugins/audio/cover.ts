import { coverTag } from '../../engines/cover-tag.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import type { Convert } from '../../engines/programs/sharp/spec.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Args, Facts, Step, StepState } from '../../kernel/contract.ts'
import { coverKind } from './cover-kind.ts'
import { type Known, known } from './look.ts'
import type { AudioOptions } from './options.ts'

const written = (_: unknown, __: unknown, { output }: StepState<Known>): Partial<Facts<Known>> => ({
  more: { coverFile: output },
})

/** The sharp worker's task: the picture as JPEG, whatever its kind. */
const redrawn = (input: string, output: string): Convert => ({
  task: 'convert',
  input,
  from: 'jpg',
  pages: 'first',
  animate: false,
  to: 'jpg',
  output,
  folder: `${output}.pages`,
  box: { fit: 'inside' },
  holds: { opaque: true },
  strip: true,
  encoding: { quality: 90 },
})

/**
 * Extracts the cover for targets that store it as a file or as a tag, and covers that are not plain JPEG or PNG. Omits
 * a cover that cannot be read.
 */
export const takeCover: readonly Step<AudioOptions, Known>[] = [
  {
    engine: ffmpeg,
    input: 'source',
    output: 'cover.picture',
    optional: true,
    when: {
      more: { cover: ['file', 'tag', 'stream'], coverBy: ['copy', 'decode', 'sharp'] },
      not: { more: { cover: ['stream'], coverBy: ['copy'] } },
    },
    args: (_, { facts }) => {
      const { media, coverBy } = known(facts)
      const index = media.covers[0]!.index
      const codec = coverBy === 'decode' ? 'png' : 'copy'
      return ['-f', media.demuxer, '-i', '-map', `0:${index}`, '-c:v', codec, '-frames:v', 1, '-f', 'image2pipe']
    },
    facts: (lines, job, now) => (known(now.facts).coverBy === 'sharp' ? {} : written(lines, job, now)),
  },
  {
    engine: exiftool,
    input: 'source',
    output: 'cover.picture',
    optional: true,
    when: { more: { cover: ['file', 'tag', 'stream'], coverBy: ['exiftool'] } },
    args: (_, { output }) => ['-b', '-Picture', '-W!', output],
  },
  {
    engine: sharp,
    output: 'cover.jpg',
    optional: true,
    when: { written: 'cover.picture', more: { coverBy: ['sharp', 'exiftool'] } },
    args: (_, { input, output }) => [JSON.stringify(redrawn(input, output))],
    facts: written,
  },
  {
    engine: coverTag,
    output: 'cover.tags',
    optional: true,
    when: { more: { cover: ['tag'] }, not: { more: { coverFile: [undefined] } } },
    args: (_, { facts }) => {
      const { coverBy, media } = known(facts)
      const [cover] = media.covers
      return [`image/${coverKind(coverBy, cover)}`, cover?.width ?? 0, cover?.height ?? 0]
    },
    facts: written,
  },
]

/**
 * Adds the cover: a further input, and arguments of the output.
 *
 * @param source number of the source among the inputs; the last one so far
 */
export function coverArgs(
  { media, cover: kept, coverBy, coverFile: file }: Known,
  source = 0,
): { input: Args; output: Args } {
  const [cover] = media.covers
  const attached = ['-c:v', 'copy', '-disposition:v:0', 'attached_pic']
  if (kept === 'stream' && coverBy === 'copy')
    return { input: [], output: ['-map', `${source}:${cover!.index}`, attached] }
  if (!file) return { input: [], output: [] }
  if (kept === 'tag') return { input: ['-f', 'ffmetadata', '-i', file], output: ['-map_metadata:s:a:0', source + 1] }
  const kind = coverKind(coverBy, cover)
  if (kept === 'stream') {
    const front = ['-metadata:s:v:0', 'comment=Cover (front)']
    return { input: ['-f', `${kind}_pipe`, '-i', file], output: ['-map', `${source + 1}:0`, attached, front] }
  }
  const name = `filename=cover.${kind === 'jpeg' ? 'jpg' : kind}`
  return {
    input: [],
    output: ['-attach', file, '-metadata:s:t:0', `mimetype=image/${kind}`, '-metadata:s:t:0', name],
  }
}
