import { cp } from '../../engines/cp.ts'
import { channelsFor, encode, rateFor } from '../../engines/ffmpeg/coders.ts'
import { failure, look } from '../../engines/ffmpeg/look.ts'
import type { Media, Sound } from '../../engines/ffmpeg/media.ts'
import { decodeSpeech, isSpeech } from '../../engines/ffmpeg/speech.ts'
import { checkWhole } from '../../engines/ffmpeg/whole.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { amrWriter } from '../../engines/gstreamer.ts'
import type { Args, Job, Run } from '../../kernel/contract.ts'
import { coverFor } from './cover.ts'
import { levelling } from './loudness.ts'
import { type AudioOptions, options as schemas } from './options.ts'
import { type Target, targets } from './targets.ts'

/** A sound to be converted, and where it is. */
interface Source {
  media: Media
  sound: Sound
  /** The file that holds it: the job's own, or an intermediate. */
  file: string
  /** Demuxer and input. */
  opened: Args
  /** The stream wanted. */
  stream: Args
}

async function open(job: Job, run: Run): Promise<Source> {
  const media = await look(job, run)
  const sound = media.sounds[0]
  if (!sound && media.unknown.length)
    throw failure('CONVERSION_ERROR', 'The sound is in a codec that cannot be decoded here')
  if (!sound) throw failure('CONVERSION_ERROR', 'There is no sound in the file')
  if (!isSpeech(sound)) {
    const opened = ['-f', media.demuxer, '-i']
    return { media, sound, file: job.input, opened, stream: ['-map', `0:${sound.index}`] }
  }
  const file = await decodeSpeech(job, run, media, sound)
  const bare = { ...media, demuxer: 'wav', cover: undefined }
  return { media: bare, sound, file, opened: ['-f', 'wav', '-ignore_length', 1, '-i'], stream: ['-map', '0:0'] }
}

const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1' }

/** Filters for the wanted shape: gaps filled, channels mixed before loudness is measured, loudness set. */
async function filtersFor(
  run: Run,
  { media, sound, file, opened, stream }: Source,
  channels: number,
  normalize?: boolean,
) {
  const first = media.demuxer === 'asf' ? ['aresample=async=1'] : []
  const mixed = channels < sound.channels ? [`aformat=channel_layouts=${layouts[channels] ?? `${channels}c`}`] : []
  if (!normalize) return first
  const before = [...first, ...mixed]
  return [...before, ...(await levelling(run, file, [opened, stream], before))]
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

/** Tags and chapters, where source and target have a place for them (ffmpeg(1), -map_metadata). */
export function extras({ demuxer }: Media, { index }: Sound, target: Target): Args {
  const from = demuxer === 'ogg' ? `0:s:${index}` : '0:g'
  return [target.tags === 'stream' ? '-map_metadata:s:a:0' : '-map_metadata', from, '-map_chapters', 0]
}

/** Converts one sound by copying or encoding it. */
export async function convert(job: Job<AudioOptions>, run: Run): Promise<void> {
  const target = targets[job.to]!
  const source = await open(job, run)
  const { media, sound, file, opened, stream } = source
  const cover = await coverFor(job, run, media, target)
  const input = [opened, cover.input, stream]
  const finish = [extras(media, sound, target), cover.output, target.muxer]
  const lasts = sound.seconds ?? media.seconds
  const seconds = lasts && Math.min(lasts, target.most ?? lasts)
  if (fits(source, target, job.options) && !isSpeech(sound)) {
    const lines = await unlessRefused(run(ffmpeg, [input, '-c:a', 'copy', finish]))
    if (lines) return checkWhole(lines, 'audio', media.demuxer, seconds)
  }
  const { bitrate, sampleRate, channels: wanted, normalize } = job.options
  const coder = target.coder(sound)
  const channels = channelsFor(coder, sound.channels, wanted)
  const filters = await filtersFor(run, source, channels, normalize)
  const all = coder.filter ? [...filters, coder.filter] : filters
  const kbits = bitrate ?? usual(job.to, channels)
  const encoding = encode(coder, rateFor(coder, sound.rate, sampleRate), channels, kbits)
  const lines = await run(ffmpeg, [input, all.length > 0 && ['-af', all.join(',')], encoding, finish], { input: file })
  checkWhole(lines, 'audio', media.demuxer, seconds)
}

/** What a run printed; undefined when the engine refused, so that something else may be tried. */
const unlessRefused = (lines: Promise<string[]>): Promise<string[] | undefined> =>
  lines.catch((error: { code?: unknown }) => {
    if (error.code !== 'CONVERSION_ERROR') throw error
    return undefined
  })

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
  const lines = await run(ffmpeg, [source.opened, source.stream, filter, raw], { input: source.file, output: samples })
  checkWhole(lines, 'audio', source.media.demuxer, source.sound.seconds ?? source.media.seconds)
  const kbits = job.options.bitrate ?? 12
  const gaps = modes.map((mode) => Math.abs(mode - kbits))
  await run(amrWriter, [gaps.indexOf(Math.min(...gaps))], { input: samples })
}

/** Gives the source back as it is. */
export const keep = (run: Run) => run(cp, [])
