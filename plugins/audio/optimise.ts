import { failure, look } from '../../engines/ffmpeg/look.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import type { Job, Run } from '../../kernel/contract.ts'
import { convert, extras, keep } from './convert.ts'
import { coverFor } from './cover.ts'
import type { AudioOptions } from './options.ts'
import { targets } from './targets.ts'

/**
 * Makes a file smaller without touching what is heard: without padding, flac packed again; or as the options say. A
 * result that is not smaller, or not whole, gives way to the source.
 */
export async function optimise(job: Job<AudioOptions>, run: Run): Promise<void> {
  const { bitrate, sampleRate, channels, normalize } = job.options
  if (normalize || [bitrate, sampleRate, channels].some((option) => option !== undefined)) return convert(job, run)
  const media = await look(job, run)
  const [sound, ...others] = media.sounds
  if (!sound) throw failure('CONVERSION_ERROR', 'There is no sound in the file')
  const target = targets[job.to]!
  // Nothing makes samples smaller without loss; and what ffmpeg would leave out is worth more than some bytes.
  const lost = others.length > 0 || (media.cover && target.cover !== 'stream') || media.subtitles.length > 0
  if (job.to !== 'wav' && !lost && (await rewritten())) return
  await keep(run)

  async function rewritten(): Promise<boolean> {
    const { encoder, more } = target.coder(sound!)
    const codec = job.to === 'flac' ? ['-c:a', encoder, more] : ['-c:a', 'copy']
    const input = ['-f', media.demuxer, '-i', '-map', `0:${sound!.index}`]
    const cover = await coverFor(job, run, media, target)
    try {
      await run(ffmpeg, [input, codec, extras(media, sound!, target), cover.output, target.muxer])
      return await better()
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
      return false
    }
  }

  async function better(): Promise<boolean> {
    const lines = await run(ffprobe, ['-f', media.demuxer, '-show_entries', 'format=size,duration'], {
      input: job.output,
    })
    const { size, duration } = JSON.parse(lines.join('\n')).format as { size: string; duration?: string }
    return Number(size) < job.size && Math.abs(Number(duration ?? 0) - (media.seconds ?? 0)) < 0.1
  }
}
