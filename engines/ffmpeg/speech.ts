import type { Job, Run } from '../../kernel/contract.ts'
import { ffmpeg } from '../ffmpeg.ts'
import { sox } from '../sox.ts'
import type { Media, Sound } from './media.ts'

const types: Readonly<Record<string, string>> = { amr_nb: 'amr-nb', amr_wb: 'amr-wb' }

/** Whether FFmpeg would silently lose parts of this stream: silence, and all but the first frame of a packet. */
export const isSpeech = ({ codec }: Sound) => codec in types

/** Decodes adaptive multi-rate speech into a WAV in the scratch folder, and returns its path. */
export async function decodeSpeech(job: Job, run: Run, media: Media, sound: Sound): Promise<string> {
  const [frames, samples] = [`${job.scratch}/speech.amr`, `${job.scratch}/speech.wav`]
  const bare = media.demuxer === 'amr'
  if (!bare) {
    const copy = ['-map', `0:${sound.index}`, '-c', 'copy', '-f', 'amr']
    await run(ffmpeg, ['-f', media.demuxer, '-i', copy], { output: frames })
  }
  await run(sox, ['-t', types[sound.codec]], { input: bare ? job.input : frames, output: samples })
  return samples
}
