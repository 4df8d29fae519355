import type { Job, Run } from '../../kernel/contract.ts'
import { fail, isRefusal } from '../../kernel/kit.ts'
import { ffprobe } from '../ffprobe.ts'
import { demuxers } from './demuxers.ts'
import type { Media } from './media.ts'
import { entries, lengthEntries, readLength, readMedia } from './report.ts'

/** Arguments of ffprobe to print warnings. */
const LOUD = ['-v', 'level+warning']
/** For encrypted Windows Media and covers of unknown kinds, FFmpeg only prints a warning. */
const WARNED = ['asf', 'mp3', 'flac', 'ogg', 'aiff', 'wav']

/**
 * Describes the streams of a job's source, using only the demuxers of its format.
 *
 * @param more further arguments of ffprobe
 * @throws CONVERSION_ERROR when nothing in it can be played, ENCRYPTED_INPUT when playing it takes a key.
 */
export async function look(job: Job, run: Run, more: readonly string[] = []): Promise<Media> {
  let media: Media | undefined
  const all = demuxers[job.from] ?? []
  for (const demuxer of all) {
    media = await attempt(job, run, demuxer, more)
    if (media?.video || media?.sounds.length || media?.locked) break
  }
  // Its warnings say why.
  if (!media && all[0]) await run(ffprobe, [LOUD, '-f', all[0], more, entries])
  if (!media) throw fail('CONVERSION_ERROR', `The file could not be read as ${job.from.toUpperCase()}`)
  if (media.locked) throw fail('ENCRYPTED_INPUT', 'The file is protected by DRM: it can be played only with a key')
  return media
}

async function attempt({ signal }: Job, run: Run, demuxer: string, more: readonly string[]) {
  try {
    return readMedia(demuxer, await run(ffprobe, [WARNED.includes(demuxer) && LOUD, '-f', demuxer, more, entries]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError || isRefusal(error)) return undefined
    throw error
  }
}

/** Bytes and seconds of a job's result. */
export const lookAtResult = async ({ output }: Job, run: Run, demuxer: string) =>
  readLength(await run(ffprobe, ['-f', demuxer, lengthEntries], { input: output }))
