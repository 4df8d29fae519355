import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { title, tones } from '../fixtures/audio.ts'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { withFolder } from '../harness/folder.ts'
import { Unlike } from './verdict.ts'

/** What ffprobe finds in a file, optionally with a given demuxer. */
export interface Probed {
  streams: Record<string, any>[]
  format: { duration?: string; tags?: Record<string, string>; format_name: string; start_time?: string }
  chapters: unknown[]
}

export async function probe(path: string): Promise<Probed> {
  const what = ['-show_streams', '-show_format', '-show_chapters']
  return JSON.parse((await program('ffprobe', '-v', 'error', ...what, '-of', 'json', path)).toString())
}

/** Decoded audio: samples from -1 to 1, by channel. */
export interface Samples {
  rate: number
  channels: Float64Array[]
}

/** Formats that SoX and FAAD read. Both share no code with ffmpeg. */
const bySox: Readonly<Record<string, string>> = {
  wav: 'wav',
  aiff: 'aiff',
  au: 'au',
  caf: 'caf',
  mp3: 'mp3',
  mp2: 'mp2',
  flac: 'flac',
  ogg: 'vorbis',
  amr: 'amr-nb',
  wv: 'wv',
}

/** Decodes a whole file, if possible with another program than its writer. Rejects if the file is damaged. */
export async function decodeSound(path: string, format: string): Promise<Samples> {
  return withFolder(async (folder) => {
    const file = join(folder, 'sound.wav')
    if (bySox[format]) await program('sox', '-V1', '-t', bySox[format], path, '-b', 16, '-e', 'signed', file)
    else if (['aac', 'm4a', 'm4b', 'm4r'].includes(format)) await program('faad', '-q', '-o', file, path)
    else await program('ffmpeg', '-v', 'error', '-xerror', '-i', path, '-map', '0:a:0', '-c:a', 'pcm_s16le', file)
    return readWave(await readFile(file))
  })
}

function readWave(bytes: Buffer): Samples {
  let count = 0
  let rate = 0
  let at = 12
  for (; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4)) {
    const id = bytes.toString('latin1', at, at + 4)
    if (id === 'data') break
    if (id === 'fmt ') [count, rate] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 12)]
  }
  const data = bytes.subarray(at + 8)
  const length = Math.floor(data.length / 2 / count)
  const channel = (n: number) => Float64Array.from({ length }, (_, i) => data.readInt16LE((i * count + n) * 2) / 32768)
  return { rate, channels: Array.from({ length: count }, (_, n) => channel(n)) }
}

/** Returns the share of a channel's energy at a frequency (Goertzel), in its middle half. */
export function share(samples: Float64Array, rate: number, hertz: number): number {
  const middle = samples.subarray(samples.length >> 2, (samples.length >> 2) * 3)
  let re = 0
  let im = 0
  let energy = 0
  for (const [index, value] of middle.entries()) {
    const angle = (2 * Math.PI * hertz * index) / rate
    re += value * Math.cos(angle)
    im += value * Math.sin(angle)
    energy += value * value
  }
  return energy ? (2 * (re * re + im * im)) / (middle.length * energy) : 0
}

/** Compares decoded audio with the tones of its source. Throws Unlike. */
export function verifyTones({ rate, channels }: Samples, source: Sample, kept: 'all' | 'mono' | 'sum'): void {
  const wanted = kept === 'mono' || source.sound === 'mono' ? 1 : 2
  const joint = wanted === 1 || kept === 'sum'
  if (channels.length !== wanted) throw new Unlike(`${channels.length} channels instead of ${wanted}`)
  for (const [index, samples] of channels.entries()) {
    const parts = tones.map((hertz) => share(samples, rate, hertz))
    const own = joint ? parts[0]! + parts[1]! : parts[index]!
    const told = parts.map((part) => part.toFixed(2)).join(' and ')
    if (own < 0.8) throw new Unlike(`${told} of channel ${index} are at ${tones.join(' and ')} Hz`)
    if (joint && Math.min(...parts) < 0.2) throw new Unlike(`a tone is missing: ${told}`)
  }
}

/** The codec of each target. */
const codecs: Readonly<Record<string, RegExp>> = {
  mp3: /^mp3$/,
  wav: /^pcm_/,
  flac: /^flac$/,
  aac: /^aac$/,
  m4a: /^aac$/,
  m4b: /^aac$/,
  m4r: /^aac$/,
  ogg: /^vorbis$/,
  opus: /^opus$/,
  spx: /^speex$/,
  wma: /^wmav2$/,
  aiff: /^pcm_s/,
  amr: /^amr_nb$/,
  ac3: /^ac3$/,
  au: /^pcm_/,
  caf: /^pcm_/,
  mp2: /^mp2$/,
  mka: /./,
  weba: /^(opus|vorbis)$/,
  wv: /^wavpack$/,
  tta: /^tta$/,
}

const untagged = ['aac', 'ac3', 'mp2', 'amr']
const covers = ['mp3', 'm4a', 'm4b', 'flac', 'aiff', 'ogg', 'opus', 'mka']
const books = ['m4a', 'm4b', 'm4r']

/**
 * Compares audio with its source: codec, length, channels, tones, title and cover.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyAudio(path: string, to: string, source: Sample): Promise<void> {
  const { streams, format } = await probe(path)
  const sound = streams.find(({ codec_type }) => codec_type === 'audio')
  if (!sound || !codecs[to]!.test(sound.codec_name)) throw new Unlike(`${sound?.codec_name} in ${to}`)
  const decoded = await decodeSound(path, to)
  // FAAD returns one channel twice.
  const samples = { ...decoded, channels: decoded.channels.slice(0, sound.channels) }
  const lasts = samples.channels[0]!.length / samples.rate
  // FAAD and SoX include the silence with which encoders fill frames, which are longer at low rates.
  const slack = to === 'aac' || books.includes(to) || samples.rate <= 16_000 ? 0.2 : 0.1
  if (Math.abs(lasts - source.seconds) > slack) throw new Unlike(`${lasts.toFixed(2)} s instead of ${source.seconds}`)
  // Speex stores one channel, and its volume on the left and on the right.
  verifyTones(samples, source, to === 'amr' ? 'mono' : to === 'spx' ? 'sum' : 'all')
  if (source.title && !untagged.includes(to)) {
    const told = { ...format.tags, ...sound.tags }
    const found = Object.entries(told).find(([name]) => name.toLowerCase() === 'title')?.[1]
    if (found !== title) throw new Unlike(`the title is ${found}`)
  }
  if (source.cover && covers.includes(to)) {
    const picture = streams.find(({ disposition }) => disposition?.attached_pic === 1)
    if (!picture) throw new Unlike('the cover is gone')
  }
  if ((await stat(path)).size === 0) throw new Unlike('nothing')
}
