import type { Source } from '../../../kernel/contract.ts'
import type { Media } from '../media.ts'

/** Chunks beside the samples that change nothing about them. Covers and other streams are in further kinds. */
const HARMLESS = [
  'fact',
  'LIST',
  'bext',
  'JUNK',
  'junk',
  'PAD ',
  'FLLR',
  'PEAK',
  'cue ',
  'smpl',
  'inst',
  'iXML',
  'minf',
]
/** Most chunks of one file. */
const MOST = 64
/** GUID of uncompressed samples after its first two bytes (WAVE_FORMAT_EXTENSIBLE). */
const PCM = Buffer.from('000000001000800000aa00389b71', 'hex')
/** Compressed audio that is disguised as samples: DTS, and everything by IEC 61937. */
const DISGUISED = ['7ffe8001', 'fe7f0180', '1fffe800', 'ff1f00e8', '72f81f4e', 'f8724e1f'].map((hex) =>
  Buffer.from(hex, 'hex'),
)
/** Where it is looked for. Silence may come first: after more than this, ffprobe takes it for samples as well. */
const SEARCHED = 160 * 1024

/**
 * Describes a WAV of uncompressed samples as ffprobe would. Undefined unless the file is whole and holds nothing else,
 * and no tag that could hold a picture.
 */
export async function readWave(file: Source): Promise<Media | undefined> {
  const { head, size } = file
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: Format | undefined
  let bytes = 0
  for (let at = 12, count = 0; at + 8 <= size; count++) {
    const header = await file.read(at, 8)
    const kind = header.toString('latin1', 0, 4)
    const [start, end] = [at + 8, at + 8 + header.readUInt32LE(4)]
    if (end > size || count === MOST) return undefined
    if (kind === 'fmt ' && !format) format = formatOf(await file.read(start, Math.min(end - start, 40)))
    else if (kind === 'data' && format && bytes === 0) {
      bytes = end - start
      const samples = await file.read(start, Math.min(bytes, SEARCHED))
      if (DISGUISED.some((mark) => samples.includes(mark))) return undefined
    } else if (!HARMLESS.includes(kind)) return undefined
    at = end + (end % 2)
  }
  if (!format || bytes === 0 || bytes % format.block !== 0) return undefined
  const { rate, channels, depth } = format
  const seconds = Math.round((bytes / format.block / rate) * 1e6) / 1e6
  const codec = `pcm_s${depth}le`
  return {
    ...{ demuxer: 'wav', seconds, video: undefined, cover: undefined, subtitles: [], locked: false, unknown: [] },
    ...{ place: undefined, sounds: [{ index: 0, type: 'audio', codec, seconds, rate, channels, depth }] },
  }
}

interface Format {
  rate: number
  channels: number
  depth: number
  /** Bytes of one sample of all channels. */
  block: number
}

/** Reads samples of 16 and 24 bits in one or two channels. */
function formatOf(chunk: Buffer): Format | undefined {
  if (chunk.length < 16) return undefined
  const [tag, channels, rate] = [chunk.readUInt16LE(0), chunk.readUInt16LE(2), chunk.readUInt32LE(4)]
  const [bytesPerSecond, block, depth] = [chunk.readUInt32LE(8), chunk.readUInt16LE(12), chunk.readUInt16LE(14)]
  const isExtended = tag === 0xfffe && chunk.readUInt16LE(18) === depth && chunk.readUInt16LE(24) === 1
  if (tag !== 1 && !(isExtended && chunk.subarray(26, 40).equals(PCM))) return undefined
  if (![1, 2].includes(channels) || ![16, 24].includes(depth) || rate < 8000 || rate > 192_000) return undefined
  if (block !== (channels * depth) / 8 || bytesPerSecond !== rate * block) return undefined
  return { rate, channels, depth, block }
}
