import { streamsBut } from '../../engines/ffmpeg/media.ts'
import type { Facts, Loss } from '../../kernel/contract.ts'
import { type Known, known } from './look.ts'
import type { AudioOptions } from './options.ts'

/** The streams that a result does not have: it has one sound and, where it can, a cover. */
function leftOut(facts: Facts): readonly string[] {
  const { media, sound, cover, way }: Partial<Known> = known(facts) ?? {}
  if (!media || !sound || way === 'shrink') return []
  return streamsBut(media, [sound, ...(cover ? media.covers.slice(0, 1) : [])])
}

/** What sounds lose, for reports. */
export const losses: readonly Loss<AudioOptions>[] = [{ kind: 'streams', when: {}, names: leftOut }]
