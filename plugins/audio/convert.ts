import { cp } from '../../engines/cp.ts'
import { channelsFor, encode, rateFor } from '../../engines/ffmpeg/coders.ts'
import { failure, look } from '../../engines/ffmpeg/look.ts'
import type { Media, Sound } from '../../engines/ffmpeg/media.ts'
import { decodeSpeech, isSpeech } from '../../engines/ffmpeg/speech.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { amrWriter } from '../../engines/gstreamer.ts'
import type { Args, Job, Run } from '../../kernel/contract.ts'
import { levelling } from './loudness.ts'
import { type AudioOptions, options as schemas } from './options.ts'
import { type Target, targets } from './targets.ts'

/** A sound to be converted, and where it is. */
interface Source {
  media: Media
  sound: Sound
  /** The file that holds it: the job's own, or an intermediate. */
  file: string
  /** Demuxer, input and the stream wanted. */
  input: Args
}

async function open(job: Job, run: Run): Promise<Source> {
  const media = await look(job, run)
  const sound = media.sounds[0]
  if (!sound && media.unknown.length)
    throw failure('CONVERSION_ERROR', 'The sound is in a codec that cannot be decoded here')
  if (!sound) throw failure('CONVERSION_ERROR', 'There is no sound in the file')
  if (!isSpeech(sound)) {
    return { media, sound, file: job.input, input: ['-f', media.demuxer, '-i', '-map', `0:${sound.index}`] }
  }
  const file = await decodeSpeech(job, run, media, sound)
  const bare = { ...media, demuxer: 'wav', cover: undefined }
  return { media: bare, sound, file, input: ['-f', 'wav', '-ignore_length', 1, '-i', '-map', '0:0'] }
}

const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1' }

/** Filters for the wanted shape: gaps filled, channels mixed before loudness is measured, loudness set. */
async function filtersFor(run: Run, { media, sound, file, input }: Source, channels: number, normalize?: boolean) {
  const first = media.demuxer === 'asf' ? ['aresample=async=1'] : []
  const mixed = channels < sound.channels ? [`aformat=channel_layouts=${layouts[channels] ?? `${channels}c`}`] : []
  if (!normalize) return first
  const before = [...first, ...mixed]
  return [...before, ...(await levelling(run, file, input, before))]
}

/** Whether the stream can stay as it is. */
function fits(
  { sound }: Source,
  { copies, coder }: Target,
  { bitrate, sampleRate, channels, normalize }: AudioOptions,
) {
  const encoder = coder(sound)
  const lossy = Boolean(encoder.kbits ?? encoder.quality)
  const asked = normalize || (bitrate !== undefined && lossy)
  const rate = sampleRate !== undefined && rateFor(encoder, sound.rate, sampleRate) !== sound.rate
  const mix = channelsFor(encoder, sound.channels, channels) !== sound.channels
  return copies.includes(sound.codec) && !asked && !rate && !mix
}

/** Tags, chapters and picture, where source and target have a place for them (ffmpeg(1), -map_metadata). */
export function extras({ demuxer, cover }: Media, { index }: Sound, target: Target): Args {
  const from = demuxer === 'ogg' ? `0:s:${index}` : '0:g'
  return [
    target.cover && cover && ['-map', `0:${cover.index}`, '-c:v', 'copy', '-disposition:v:0', 'attached_pic'],
    [target.tags === 'stream' ? '-map_metadata:s:a:0' : '-map_metadata', from, '-map_chapters', 0],
  ]
}

/** Converts one sound by copying or encoding it. */
export async function convert(job: Job<AudioOptions>, run: Run): Promise<void> {
  const target = targets[job.to]!
  const source = await open(job, run)
  const { media, sound, file, input } = source
  const finish = [extras(media, sound, target), target.muxer]
  if (fits(source, target, job.options) && !isSpeech(sound)) {
    try {
      await run(ffmpeg, [input, '-c:a', 'copy', finish])
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CONVERSION_ERROR') throw error
    }
  }
  const { bitrate, sampleRate, channels: wanted, normalize } = job.options
  const coder = target.coder(sound)
  const channels = channelsFor(coder, sound.channels, wanted)
  const filters = await filtersFor(run, source, channels, normalize)
  const all = coder.filter ? [...filters, coder.filter] : filters
  const kbits = bitrate ?? usual(job.to, channels)
  const encoding = encode(coder, rateFor(coder, sound.rate, sampleRate), channels, kbits)
  await run(ffmpeg, [input, all.length > 0 && ['-af', all.join(',')], encoding, finish], { input: file })
}

/** Surround sound takes more than a pair. */
function usual(to: string, channels: number): number | undefined {
  const pair = schemas.bitrate.defaults?.[to] as number | undefined
  if (pair === undefined || channels <= 2) return pair
  return to === 'ac3' ? 448 : to === 'opus' || to === 'weba' ? 256 : 384
}

/** Bit rates of AMR's modes in kbit/s, from mode 0 (3GPP TS 26.071). */
const modes = [4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2]

/** Converts one sound to narrow-band speech. */
export async function speak(job: Job<AudioOptions>, run: Run): Promise<void> {
  const source = await open(job, run)
  const samples = `${job.scratch}/samples`
  const filters = await filtersFor(run, source, 1, job.options.normalize)
  const raw = ['-ac', 1, '-ar', 8000, '-c:a', 'pcm_s16le', '-f', 's16le']
  const filter = filters.length > 0 && ['-af', filters.join(',')]
  await run(ffmpeg, [source.input, filter, raw], { input: source.file, output: samples })
  const kbits = job.options.bitrate ?? 12
  const gaps = modes.map((mode) => Math.abs(mode - kbits))
  await run(amrWriter, [gaps.indexOf(Math.min(...gaps))], { input: samples })
}

/** Gives the source back as it is. */
export const keep = (run: Run) => run(cp, [])
