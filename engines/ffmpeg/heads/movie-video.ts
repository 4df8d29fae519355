import type { Picture } from '../media.ts'
import { HDR, readAvc } from './avc.ts'
import { type Box, boxesIn, only, optional, plainIf } from './boxes.ts'

/** Frame rates that FFmpeg tells apart from all others, as fractions. */
const RATES = [24, 25, 30, 50, 60].flatMap((rate) => [`${rate}/1`, `${rate * 1000}/1001`])
/** Frames from which FFmpeg is sure of a rate. */
const SURE = 50

/** A track's own times: ticks per second, and its length in seconds. */
export interface Clock {
  scale: number
  seconds: number
}

interface Track {
  description: Buffer
  tables: readonly Box[]
  /** Width and height at which the file wants it to be shown. */
  size: readonly [number, number]
  clock: Clock
}

/** Reads the description of an H.264 track. @throws NotPlain unless frames are regular, and shown as they are */
export function readPicture(stream: Pick<Picture, 'index' | 'seconds' | 'language'>, track: Track): Picture {
  const { description, tables, clock } = track
  plainIf(description.length > 78)
  const inner = boxesIn(description.subarray(78), ['avcC', 'btrt', 'pasp', 'colr'])
  checkShape(optional(inner, 'pasp'), optional(inner, 'colr'))
  const { width, height, pixels, level, rate: told } = readAvc(only(inner, 'avcC'))
  const sizes = [description.readUInt16BE(24), description.readUInt16BE(26), ...track.size]
  plainIf(sizes.every((size, index) => size === (index % 2 ? height : width)))
  const { frames, rate } = timesOf(tables, clock)
  plainIf(!told || reduced(...told) === rate)
  return {
    ...{ ...stream, type: 'video', codec: 'h264', width, height, pixels, level, rate, frames },
    ...{ interlaced: false, hdr: false, turned: false, aspect: 1, cover: false },
  }
}

/** Accepts only square pixels and the usual range of colours. */
function checkShape(pasp: Buffer | undefined, colr: Buffer | undefined): void {
  plainIf(!pasp || pasp.readUInt32BE(0) === pasp.readUInt32BE(4))
  if (!colr) return
  const kind = colr.toString('latin1', 0, 4)
  plainIf(kind === 'nclx' || kind === 'nclc')
  plainIf(!HDR.includes(colr.readUInt16BE(6)) && (kind === 'nclc' || colr[10] === 0))
}

/** The number of frames, and how many there are in a second. All must last equally long. */
function timesOf(tables: readonly Box[], { scale, seconds }: Clock): { frames: number; rate: string } {
  const stts = only(tables, 'stts')
  plainIf(stts.readUInt32BE(4) === 1)
  const [frames, ticks] = [stts.readUInt32BE(8), stts.readUInt32BE(12)]
  plainIf(frames >= SURE && ticks > 0 && frames === only(tables, 'stsz').readUInt32BE(8))
  plainIf(Math.abs((frames * ticks) / scale - seconds) < 0.001)
  const rate = reduced(scale, ticks)
  plainIf(RATES.includes(rate))
  return { frames, rate }
}

function reduced(above: number, below: number): string {
  let [a, b] = [above, below]
  while (b > 0) [a, b] = [b, a % b]
  return `${above / a}/${below / a}`
}
