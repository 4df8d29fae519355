import { encode, laidOut, rateFor } from '../../engines/ffmpeg/coders.ts'
import type { Media, Sound } from '../../engines/ffmpeg/media.ts'
import { decodeSpeech } from '../../engines/ffmpeg/speech.ts'
import { checkWhole } from '../../engines/ffmpeg/whole.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { flac } from '../../engines/flac.ts'
import { amrWriter, gstreamer } from '../../engines/gstreamer.ts'
import type { Args, Facts, Job, Step, StepState } from '../../kernel/contract.ts'
import { coverArgs, takeCover } from './cover.ts'
import { chosen, isDecoded, type Known, known, lookInside, opened } from './look.ts'
import { levelled, measure } from './loudness.ts'
import { type AudioOptions, options as schemas } from './options.ts'
import { type Target, targets } from './targets.ts'

/** Refuses a result that is shorter than its source. */
function whole(lines: readonly string[], _: unknown, { facts }: StepState<Known>): Partial<Facts<Known>> {
  const it = known(facts)
  checkWhole(lines, 'audio', isDecoded(it) ? 'wav' : it.media.demuxer, it.seconds)
  return {}
}

/** Tags and chapters, if source and target support them (ffmpeg(1), -map_metadata). */
export function extras({ demuxer }: Pick<Media, 'demuxer'>, { index }: Sound, target: Target, input = 0): Args {
  const from = demuxer === 'ogg' ? `${input}:s:${index}` : `${input}:g`
  return [target.tags === 'stream' ? '-map_metadata:s:a:0' : '-map_metadata', from, '-map_chapters', input]
}

/** A run that writes the target, with arguments for the audio. */
function written({ to, input }: Pick<Job, 'to' | 'input'>, it: Known, sound: Args): Args {
  const target = targets[to]!
  const source = it.speech ? { demuxer: 'wav' } : it.media
  // Decoded samples have no tags, chapters and cover: the source, as a further input, has.
  const tagged = it.deep ? 1 : 0
  const cover = coverArgs(it, tagged)
  const more = extras(source, it.sound, target, tagged)
  const inputs = [opened(it), it.deep && ['-f', it.media.demuxer, '-i', input], cover.input]
  return [inputs, chosen(it), sound, more, cover.output, target.muxer]
}

const decodeDeep: Step<AudioOptions, Known> = {
  engine: flac,
  input: 'source',
  output: 'decoded.wav',
  when: { more: { deep: [true] } },
}

const copy: Step<AudioOptions, Known> = {
  engine: ffmpeg,
  input: 'source',
  output: 'made.{to}',
  optional: true,
  when: { more: { way: ['copy'] } },
  args: (job, { facts }) => written(job, known(facts), ['-c:a', 'copy']),
  facts: whole,
}

const encodeIt: Step<AudioOptions, Known> = {
  engine: ffmpeg,
  input: 'source',
  output: 'made.{to}',
  when: { more: { way: ['copy', 'encode'], speech: [undefined], deep: [false] }, not: { written: 'made.{to}' } },
  heavy: { more: { endless: [true] } },
  args: (job, { facts }) => written(job, known(facts), encoding(job.to, job.options, known(facts))),
  facts: whole,
}

const encodeDecoded: Step<AudioOptions, Known> = { ...encodeIt, input: 'decoded.wav', when: { written: 'decoded.wav' } }

function encoding(to: string, { bitrate, sampleRate }: AudioOptions, it: Known): Args {
  const coder = targets[to]!.coder(it.sound)
  const filters = [...levelled(it), ...laidOut(coder, it.channels)]
  const rate = rateFor(coder, it.sound.rate, sampleRate)
  return [filtered(filters), encode(coder, rate, it.channels, bitrate ?? usual(to, it.channels))]
}

const filtered = (filters: readonly string[]): Args => (filters.length > 0 ? ['-af', filters.join(',')] : [])

/** The default bit rate in kbit/s. Surround sound gets more than stereo. */
function usual(to: string, channels: number): number | undefined {
  const pair = schemas.bitrate.defaults?.[to] as number | undefined
  if (pair === undefined || channels <= 2) return pair
  return to === 'ac3' ? 448 : to === 'opus' || to === 'weba' ? 256 : 384
}

/** Copies the audio if the target supports its codec. Otherwise, or if copying fails, encodes it. */
export const convert: readonly Step<AudioOptions, Known>[] = [
  lookInside,
  ...decodeSpeech,
  decodeDeep,
  ...measure,
  ...takeCover,
  copy,
  encodeIt,
  encodeDecoded,
]

/** Bit rates of AMR's modes in kbit/s, from mode 0 (3GPP TS 26.071). */
const modes = [4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2]

function nearestMode({ options }: Job<AudioOptions>): number {
  const gaps = modes.map((mode) => Math.abs(mode - (options.bitrate ?? 12)))
  return gaps.indexOf(Math.min(...gaps))
}

const toSamples = ['-ac', 1, '-ar', 8000, '-c:a', 'pcm_s16le', '-f', 's16le'] as const

/** Converts audio to narrow-band speech. */
export const speak: readonly Step<AudioOptions, Known>[] = [
  lookInside,
  ...decodeSpeech,
  decodeDeep,
  ...measure,
  {
    engine: ffmpeg,
    output: 'samples.raw',
    heavy: { more: { endless: [true] } },
    facts: whole,
    args: (_, { facts }) => [opened(known(facts)), chosen(known(facts)), filtered(levelled(known(facts))), toSamples],
  },
  { engine: amrWriter, uses: [gstreamer], args: (job) => [nearestMode(job)] },
]
