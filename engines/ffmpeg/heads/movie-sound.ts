import type { Sound } from '../media.ts'
import { boxesIn, only, plainIf } from './boxes.ts'

/** Sample rates of AAC by their index (ISO 14496-3 §1.6.3.4). Lower ones may be of half the real rate, with SBR. */
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000]
/** A second header, which says that there is no SBR. */
const WITHOUT_SBR = Buffer.from('56e500', 'hex')

/** Reads the description of an AAC track (ISO 14496-14 §5.6). @throws NotPlain unless it is AAC-LC in mono or stereo */
export function readSound(stream: Pick<Sound, 'index' | 'seconds' | 'language'>, description: Buffer): Sound {
  plainIf(description.length > 28 && description.readUInt16BE(8) === 0)
  const esds = only(boxesIn(description.subarray(28), ['esds', 'btrt']), 'esds')
  const elementary = inside(esds.subarray(4), 3)
  plainIf(elementary[2] === 0)
  const decoder = inside(elementary.subarray(3), 4)
  plainIf(decoder[0] === 0x40)
  const config = inside(decoder.subarray(13), 5)
  plainIf(config.length === 2 || (config.length === 5 && config.subarray(2).equals(WITHOUT_SBR)))
  const bits = config.readUInt16BE(0)
  const rate = RATES[(bits >> 7) & 15]
  const channels = (bits >> 3) & 15
  // Usual frames, without further extensions.
  plainIf(bits >> 11 === 2 && rate && (channels === 1 || channels === 2) && (bits & 7) === 0)
  return { ...stream, type: 'audio', codec: 'aac', rate, channels, depth: 16 }
}

/** Content of the descriptor with this tag at the start of some bytes (ISO 14496-1 §8.3.3). */
function inside(bytes: Buffer, tag: number): Buffer {
  plainIf(bytes[0] === tag)
  let [length, at] = [0, 1]
  for (let more = true; more; at++) {
    const byte = bytes[at]
    plainIf(byte !== undefined && at < 5)
    length = length * 128 + (byte & 127)
    more = byte > 127
  }
  plainIf(at + length <= bytes.length)
  return bytes.subarray(at, at + length)
}
