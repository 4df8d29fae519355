import type { Failure, Job, Run } from '../../kernel/contract.ts'
import { ffprobe } from '../ffprobe.ts'
import { demuxers } from './demuxers.ts'
import { entries, type Media, readMedia } from './media.ts'

/** An error that tells a client why a conversion ended: one sentence without paths. */
export const failure = (code: Failure['code'], message: string) => Object.assign(new Error(message), { code })

/**
 * Looks into a job's source, or another file of the format, with the demuxers of that format alone. Throws
 * CONVERSION_ERROR when nothing in it can be played, ENCRYPTED_INPUT when that takes a key.
 */
export async function look(job: Job, run: Run, more: readonly string[] = []): Promise<Media> {
  let media: Media | undefined
  for (const demuxer of demuxers[job.from] ?? []) {
    media = await attempt(job, run, demuxer, more)
    if (media?.video || media?.sounds.length || media?.locked) break
  }
  if (!media) throw failure('CONVERSION_ERROR', `The file could not be read as ${job.from.toUpperCase()}`)
  if (media.locked) throw failure('ENCRYPTED_INPUT', 'The file is protected: it can be played only with a key')
  return media
}

async function attempt({ signal }: Job, run: Run, demuxer: string, more: readonly string[]) {
  try {
    // Windows Media tells of its locks by a warning alone.
    const loud = demuxer === 'asf' && ['-v', 'level+warning']
    return readMedia(demuxer, await run(ffprobe, [loud, '-f', demuxer, more, entries]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError || (error as { code?: unknown }).code === 'CONVERSION_ERROR') return undefined
    throw error
  }
}
