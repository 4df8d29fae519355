import { isPlain, streamsBut } from '../../engines/ffmpeg/media.ts'
import type { Facts, Job, Loss } from '../../kernel/contract.ts'
import { type Known, known } from './look.ts'
import type { VideoOptions } from './options.ts'
import { heldSubtitles } from './subtitles.ts'
import { targets } from './targets.ts'

/** The streams that a result does not have. */
function leftOut(facts: Facts, { to }: Pick<Job, 'to'>): readonly string[] {
  const { media, picture, sounds, subtitles, shrinks }: Partial<Known> = known(facts) ?? {}
  const target = targets[to]
  // Without an option, all streams are copied.
  if (!media || !target || shrinks) return []
  const cover = target.cover && media.covers.find(isPlain)
  const kept = [picture, cover, ...(sounds ?? []), ...(subtitles ? heldSubtitles(media.subtitles, target) : [])]
  return streamsBut(
    media,
    kept.flatMap((stream) => stream || []),
  )
}

/** What videos lose, for reports. */
export const losses: readonly Loss<VideoOptions>[] = [
  { kind: 'alpha', when: { more: { clear: [true] } } },
  { kind: 'streams', when: {}, names: leftOut },
]
