import type { Look, Source } from '../../../kernel/contract.ts'

/** A frame header: the part that all frames share, and the frame's length in bytes. */
interface Frame {
  format: 'mp3' | 'mp2' | 'aac'
  alike: number
  length: number
}

/** Bit rates in kbit/s by version and layer (ISO 11172-3 §2.4.2.3, ISO 13818-3 §2.4.2.3). */
const BITRATES: Record<string, number[]> = {
  '1:1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1:2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1:3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2:1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2:2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2:3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const RATES = [44_100, 48_000, 32_000]

/** Bytes in which a chain may begin, if the name or a tag shows that it is audio. */
const MAX_JUNK = 512 * 1024

/** MPEG audio and ADTS, by a chain of frames after tags or junk. */
export const audioFrames: Look = async (file, hint) => {
  const start = await afterTags(file)
  const known = ['mp3', 'mp2', 'aac', 'mpg'].includes(hint)
  const data = start > 0 || known ? await file.read(start, MAX_JUNK) : file.head
  const tagged = start > 0 ? taggedStream(data) : undefined
  if (tagged) return tagged
  const format = findChain(data, start > 0 || known, start + data.length >= file.size)
  if (format) return format
  // The tag shows that it is audio. Only the name can tell the format.
  return start > 0
    ? ['aac', 'mp2', 'flac', 'ape', 'tta', 'wv', 'ac3', 'dts'].includes(hint)
      ? hint
      : 'mp3'
    : undefined
}

/** AAC as broadcasters send it: a chain of three frames of LOAS (ISO 14496-3 §1.7.2). */
export const broadcastAudio: Look = async (file) => {
  let at = 0
  for (let count = 0; count < 3; count++) {
    const header = await file.read(at, 3)
    if (header.length < 3 || header[0] !== 0x56 || (header[1]! & 0xe0) !== 0xe0) return undefined
    at += 3 + ((header[1]! & 0x1f) << 8) + header[2]!
  }
  return 'aac'
}

/** Where the audio begins: after any number of ID3v2 (id3.org, §3.1) and APE tags. */
async function afterTags(file: Source): Promise<number> {
  let at = 0
  for (let count = 0; count < 8; count++) {
    const header = await file.read(at, 32)
    if (header.length >= 10 && isId3(header)) {
      at += 10 + (header[6]! << 21) + (header[7]! << 14) + (header[8]! << 7) + header[9]! + (header[5]! & 0x10 ? 10 : 0)
    } else if (header.toString('latin1', 0, 8) === 'APETAGEX' && header.length === 32) {
      at += 32 + header.readUInt32LE(12)
    } else break
  }
  return at
}

const isId3 = (h: Buffer) =>
  h.toString('latin1', 0, 3) === 'ID3' && h[3]! >= 2 && h[3]! <= 4 && (h.readUInt32BE(6) & 0x80808080) === 0

function taggedStream(data: Buffer): string | undefined {
  const mark = data.toString('latin1', 0, 4)
  return { fLaC: 'flac', 'MAC ': 'ape', TTA1: 'tta', TTA2: 'tta', wvpk: 'wv', RIFF: 'wav' }[mark]
}

/** A chain of three frames of one kind, or of six after junk. Fewer are enough at the end of the file. */
function findChain(data: Buffer, likely: boolean, whole: boolean): string | undefined {
  const reach = likely ? data.length : 4096
  for (let at = data.indexOf(0xff); at >= 0 && at < reach; at = data.indexOf(0xff, at + 1)) {
    const first = readFrame(data, at)
    if (!first) continue
    let next = at + first.length
    for (let count = 1; ; count++) {
      if (count === (likely || at === 0 ? 3 : 6) || (whole && at === 0 && next === data.length)) return first.format
      const frame = readFrame(data, next)
      if (!frame || frame.format !== first.format || frame.alike !== first.alike) break
      next += frame.length
    }
  }
  return undefined
}

function readFrame(data: Buffer, at: number): Frame | undefined {
  if (at + 7 > data.length || data[at] !== 0xff || (data[at + 1]! & 0xe0) !== 0xe0) return undefined
  const second = data[at + 1]!
  const third = data[at + 2]!
  const layer = 4 - ((second >> 1) & 3)
  if (layer === 4) return adts(data, at)
  const version = (second >> 3) & 3
  const rate = RATES[(third >> 2) & 3]
  const bitrate = BITRATES[`${version === 3 ? 1 : 2}:${layer}`]?.[third >> 4]
  if (version === 1 || !rate || !bitrate) return undefined
  const hertz = rate / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const padding = (third >> 1) & 1
  const samples = layer === 3 && version !== 3 ? 72 : 144
  const length =
    layer === 1
      ? (Math.floor((12_000 * bitrate) / hertz) + padding) * 4
      : Math.floor((samples * 1000 * bitrate) / hertz) + padding
  return { format: layer === 3 ? 'mp3' : 'mp2', alike: (second & 0xfe) * 4 + ((third >> 2) & 3), length }
}

/** An ADTS header (ISO 13818-7 §6.2). */
function adts(data: Buffer, at: number): Frame | undefined {
  if ((data[at + 1]! & 0xf6) !== 0xf0 || ((data[at + 2]! >> 2) & 15) > 12) return undefined
  const length = ((data[at + 3]! & 3) << 11) | (data[at + 4]! << 3) | (data[at + 5]! >> 5)
  return length < 7 ? undefined : { format: 'aac', alike: data[at + 1]! * 256 + (data[at + 2]! & 0xfc), length }
}
