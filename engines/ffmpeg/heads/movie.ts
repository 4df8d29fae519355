import type { Source } from '../../../kernel/contract.ts'
import type { Media, Picture, Sound } from '../media.ts'
import { type Box, boxesIn, NotPlain, only, optional, plainIf } from './boxes.ts'
import { readSound } from './movie-sound.ts'
import { type Clock, readPicture } from './movie-video.ts'

/** Largest header that is read. */
const MOST = 4 * 1024 ** 2
/** Seconds by which an edit list may shorten a track that counts as unedited: the priming of an encoder. */
const PRIMING = 0.12
/** The matrix of tracks and movies that are neither turned nor scaled. */
const UPRIGHT = Buffer.from('000100000000000000000000000000000001000000000000000000000000000040000000', 'hex')
/** The code of a language that QuickTime does not know. */
const UNSPECIFIED = 0x7fff

/**
 * Describes a file of the QuickTime family as ffprobe would. Undefined unless it is whole and holds nothing but H.264,
 * AAC and plain tags, without edits, rotation, fragments or encryption.
 */
export async function readMovie(file: Source): Promise<Media | undefined> {
  try {
    const header = boxesIn(await headerOf(file), ['mvhd', 'trak', 'udta', 'iods', 'free'])
    // A cover is a stream, and tags in Apple's newer form may tell the place.
    plainIf(header.every(({ kind, body }) => kind !== 'udta' || !(body.includes('covr') || body.includes('mdta'))))
    const mvhd = only(header, 'mvhd')
    // Players multiply it with that of each track.
    checkUpright(mvhd, mvhd[0] === 1 ? 48 : 36)
    const scale = mvhd.readUInt32BE(timesAt(mvhd))
    const streams = header.filter(({ kind }) => kind === 'trak').map(({ body }, index) => trackOf(body, index, scale))
    const videos = streams.filter((one): one is Picture => one.type === 'video')
    const sounds = streams.filter((one): one is Sound => one.type === 'audio')
    plainIf(videos.length === 1 || (videos.length === 0 && sounds.length > 0))
    return {
      ...{ demuxer: 'mov', seconds: Math.max(...streams.map(({ seconds }) => seconds ?? 0)) },
      ...{ video: videos[0], sounds, cover: undefined, subtitles: [], locked: false, unknown: [], place: undefined },
    }
  } catch (error) {
    if (error instanceof NotPlain || error instanceof RangeError) return undefined
    throw error
  }
}

/** The content of the movie box. */
async function headerOf(file: Source): Promise<Buffer> {
  let header: Buffer | undefined
  for (let at = 0, count = 0; at < file.size; count++) {
    const start = await file.read(at, 16)
    plainIf(start.length === 16 && count < 32)
    const kind = start.toString('latin1', 4, 8)
    const short = start.readUInt32BE(0)
    const size = short === 1 ? Number(start.readBigUInt64BE(8)) : short
    plainIf(size >= 8 && at + size <= file.size)
    if (kind === 'moov') {
      plainIf(!header && short !== 1 && size <= MOST)
      header = await file.read(at + 8, size - 8)
    } else plainIf(['ftyp', 'mdat', 'free', 'skip', 'wide'].includes(kind))
    at += size
  }
  plainIf(header)
  return header
}

/** Where the ticks per second are in a header of version 0 or 1. */
const timesAt = (header: Buffer) => (header[0] === 1 ? 20 : 12)

/** Refuses a header whose matrix turns, mirrors or scales. */
function checkUpright(header: Buffer, matrix: number): void {
  plainIf(header.subarray(matrix, matrix + UPRIGHT.length).equals(UPRIGHT))
}

function trackOf(body: Buffer, index: number, movieScale: number): Picture | Sound {
  const track = boxesIn(body, ['tkhd', 'edts', 'mdia', 'udta'])
  const tkhd = only(track, 'tkhd')
  const matrix = tkhd[0] === 1 ? 52 : 40
  checkUpright(tkhd, matrix)
  const media = boxesIn(only(track, 'mdia'), ['mdhd', 'hdlr', 'minf'])
  const mdhd = only(media, 'mdhd')
  const at = timesAt(mdhd)
  const scale = mdhd.readUInt32BE(at)
  const ticks = mdhd[0] === 1 ? Number(mdhd.readBigUInt64BE(at + 4)) : mdhd.readUInt32BE(at + 4)
  plainIf(scale > 0 && ticks > 0 && ticks < 2 ** 32 - 1)
  const clock = { scale, seconds: ticks / scale }
  const seconds = Math.round(1e6 * shown(optional(track, 'edts'), movieScale, clock)) / 1e6
  const language = languageOf(mdhd.readUInt16BE(at + (mdhd[0] === 1 ? 12 : 8)))
  const handler = only(media, 'hdlr').toString('latin1', 8, 12)
  const parts = boxesIn(only(media, 'minf'), ['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl'])
  checkInside(only(parts, 'dinf'))
  const tables = boxesIn(only(parts, 'stbl'), [
    'stsd',
    'stts',
    'ctts',
    'stss',
    'stsc',
    'stsz',
    'stco',
    'co64',
    'sgpd',
    'sbgp',
    'sdtp',
  ])
  for (const kind of ['stsc', 'stsz']) only(tables, kind)
  plainIf(optional(tables, 'stco') ?? optional(tables, 'co64'))
  const stream = { index, seconds, ...(language && { language }) }
  if (handler === 'soun') return readSound(stream, descriptionIn(tables, 'mp4a'))
  plainIf(handler === 'vide')
  const size = [tkhd.readUInt32BE(matrix + 36) / 65_536, tkhd.readUInt32BE(matrix + 40) / 65_536] as const
  return readPicture(stream, { description: descriptionIn(tables, 'avc1'), tables, size, clock })
}

/** Seconds that an edit list shows of a track. @throws NotPlain if it leaves out more than an encoder's priming */
function shown(edts: Buffer | undefined, movieScale: number, { scale, seconds }: Clock): number {
  if (!edts) return seconds
  const elst = only(boxesIn(edts, ['elst']), 'elst')
  plainIf(elst[0] === 0 && elst.readUInt32BE(4) === 1 && elst.readUInt32BE(16) === 0x10000)
  const lasts = elst.readUInt32BE(8) / movieScale
  const starts = elst.readInt32BE(12) / scale
  plainIf(starts >= 0 && starts <= PRIMING && Math.abs(lasts - seconds) <= PRIMING)
  return Math.min(lasts, seconds)
}

/** Three letters of ISO 639-2 in 15 bits, undefined if unspecified. Smaller numbers are QuickTime's own. */
function languageOf(code: number): string | undefined {
  plainIf(code >= 0x400 && code < 0x8000)
  if (code === UNSPECIFIED) return undefined
  return String.fromCharCode(...[10, 5, 0].map((shift) => ((code >> shift) & 31) + 0x60))
}

/** Refuses a track whose samples are in another file. */
function checkInside(dinf: Buffer): void {
  const dref = only(boxesIn(dinf, ['dref']), 'dref')
  plainIf(dref.readUInt32BE(4) === 1)
  plainIf(only(boxesIn(dref.subarray(8), ['url ']), 'url ').readUInt32BE(0) === 1)
}

/** The only sample description of a track, which must be of one kind. */
function descriptionIn(tables: readonly Box[], kind: string): Buffer {
  const stsd = only(tables, 'stsd')
  plainIf(stsd.readUInt32BE(4) === 1)
  return only(boxesIn(stsd.subarray(8), [kind]), kind)
}
