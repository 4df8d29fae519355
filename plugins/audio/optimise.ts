import { cp } from '../../engines/cp.ts'
import { lookAtResult } from '../../engines/ffmpeg/look.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Job, Run, Step } from '../../kernel/contract.ts'
import { unlessRefused } from '../../kernel/kit.ts'
import { convert, extras } from './convert.ts'
import { coverArgs } from './cover.ts'
import { chosen, type Known, known, opened } from './look.ts'
import type { AudioOptions } from './options.ts'
import { targets } from './targets.ts'

/**
 * Makes a file smaller without audible change: removes padding, compresses flac again. A result that is not smaller, or
 * not complete, is replaced by the source.
 */
async function shrink(job: Job<AudioOptions>, run: Run, it: Known): Promise<void> {
  const { media } = it
  const { cover } = targets[job.to]!
  // Samples cannot get smaller without loss, and ffmpeg would drop data that is worth more than a few bytes.
  const kept = it.coverBy === undefined || (cover === 'stream' && it.coverBy === 'copy' && media.covers.length === 1)
  const lost = media.sounds.length > 1 || !kept || media.strangeCovers || media.subtitles.length > 0
  const better =
    job.to !== 'wav' && !lost && (await unlessRefused(rewrite(job, run, { ...it, cover: it.coverBy && cover })))
  if (!better) await run(cp, [])
}

/** Resolves to whether the result is smaller and has the same duration. */
async function rewrite(job: Job<AudioOptions>, run: Run, it: Known): Promise<boolean> {
  const { media, sound } = it
  const target = targets[job.to]!
  const { encoder, more } = target.coder(sound)
  const codec = job.to === 'flac' ? ['-c:a', encoder, more] : ['-c:a', 'copy']
  await run(ffmpeg, [opened(it), chosen(it), codec, extras(media, sound, target), coverArgs(it).output, target.muxer])
  const { bytes, seconds } = await lookAtResult(job, run, media.demuxer)
  return bytes < job.size && Math.abs(seconds - (media.seconds ?? 0)) < 0.1
}

/** Converts according to the options. Without options, makes the file smaller. */
export const optimise: readonly Step<AudioOptions, Known>[] = [
  ...convert,
  {
    engine: ffmpeg,
    uses: [ffprobe, cp],
    input: 'source',
    when: { more: { way: ['shrink'] } },
    heavy: { more: { endless: [true] } },
    convert: async (job, run, { facts }) => void (await shrink(job, run, known(facts))),
  },
]
