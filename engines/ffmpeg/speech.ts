import type { Facts, Step } from '../../kernel/contract.ts'
import { ffmpeg } from '../ffmpeg.ts'
import { sox } from '../sox.ts'
import type { Media, Sound } from './media.ts'

const types: Readonly<Record<string, string>> = { amr_nb: 'amr-nb', amr_wb: 'amr-wb' }

/** Whether FFmpeg would silently lose parts of this stream: silence, and all but the first frame of a packet. */
export const isSpeech = ({ codec }: Sound) => codec in types

/** Whether the first sound is adaptive multi-rate speech, and whether a container wraps it. */
export function speechOf({ demuxer, sounds: [sound] }: Media): 'bare' | 'wrapped' | undefined {
  if (!sound || !isSpeech(sound)) return undefined
  return demuxer === 'amr' ? 'bare' : 'wrapped'
}

/** Facts about speech. */
export interface SpeechFacts {
  /** An earlier step finds it. */
  media: Media
  /** An earlier step finds it by `speechOf`. */
  speech: 'bare' | 'wrapped' | undefined
  /** Path of the decoded speech. */
  speechFile?: string
}

/** The media, and its first sound. */
function soundIn({ more }: Facts<SpeechFacts>): { demuxer: string; sound: Sound } {
  const [sound] = more?.media?.sounds ?? []
  if (!more?.media || !sound) throw new Error('The speech was not inspected')
  return { demuxer: more.media.demuxer, sound }
}

/** Steps that decode speech to `decoded.wav`. */
export const decodeSpeech: readonly Step<object, SpeechFacts>[] = [
  {
    engine: ffmpeg,
    when: { more: { speech: ['wrapped'] } },
    output: 'speech.amr',
    args: (_, { facts }) => {
      const { demuxer, sound } = soundIn(facts)
      return ['-f', demuxer, '-i', '-map', `0:${sound.index}`, '-c', 'copy', '-f', 'amr']
    },
  },
  {
    engine: sox,
    when: { more: { speech: ['bare', 'wrapped'] } },
    output: 'decoded.wav',
    args: (_, { facts }) => ['-t', types[soundIn(facts).sound.codec]],
    facts: (_lines, _job, { output }) => ({ more: { speechFile: output } }),
  },
]
