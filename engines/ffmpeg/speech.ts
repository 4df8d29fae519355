import type { Step } from '../../kernel/contract.ts'
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

const media = (more: Readonly<Record<string, unknown>> | undefined) => more?.media as Media

/**
 * Steps that decode speech to `speech.wav` and tell its place, `more.speechFile`. An earlier step tells `more.media`
 * and, by `speechOf`, `more.speech`.
 */
export const decodeSpeech: readonly Step[] = [
  {
    engine: ffmpeg,
    when: { more: { speech: ['wrapped'] } },
    output: 'speech.amr',
    args: (_, { facts: { more } }) => [
      ['-f', media(more).demuxer, '-i', '-map', `0:${media(more).sounds[0]!.index}`, '-c', 'copy', '-f', 'amr'],
    ],
  },
  {
    engine: sox,
    when: { more: { speech: ['bare', 'wrapped'] } },
    output: 'speech.wav',
    args: (_, { facts: { more } }) => ['-t', types[media(more).sounds[0]!.codec]],
    facts: (_lines, _job, { output }) => ({ more: { speechFile: output } }),
  },
]
