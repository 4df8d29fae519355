import type { Look, Source } from '../../../kernel/contract.ts'
import { unsupported, unsupportedSound } from '../refusals.ts'

/** Samples that WavPack before version 4 packed, in a WAV that says nothing of it. */
const WAVPACK_3 = /data.{4}wvpk.{4}[\x01-\x03]\0/s

/** Identifies a RIFF file by its form type. */
export const riffForm: Look = ({ head }) => {
  const form = head.toString('latin1', 8, 12)
  if (head.toString('latin1', 0, 4) === 'RIFX') return unsupported('big-endian WAV (RIFX)')
  if (form === 'WAVE') return WAVPACK_3.test(head.toString('latin1', 0, 4096)) ? unsupportedSound('WavPack 3') : 'wav'
  if (form.startsWith('AVI')) return 'avi'
  if (form === 'WEBP') return 'webp'
  if (/^cdr/i.test(form)) return 'cdr'
  return unsupported('RIFF')
}

/** Identifies an IFF file by its form type. */
export const iffForm: Look = ({ head }) => {
  const form = head.toString('latin1', 8, 12)
  if (form === 'AIFF' || form === 'AIFC') return 'aiff'
  if (/^LW(OB|O2|LO|O3)$/.test(form)) return 'lwo'
  if (/^DJV[UMI]$/.test(form)) return 'djvu'
  return /^[A-Z0-9 ]{4}$/.test(form) ? unsupported('IFF') : undefined
}

const djvuPart = {
  refused: 'this is one file of a DjVu document in several; join them first, for example by "djvmcvt -b"',
}

/** DjVu. An index may name files with the pages, and a page another file with its letters. */
export const djvuForm: Look = ({ head }) => {
  const start = head.toString('latin1', 12, 512)
  const isPart = start.startsWith('DJVMDIRM') ? (head[24]! & 0x80) === 0 : /^DJVUINFO.*INCL/s.test(start)
  return isPart ? djvuPart : 'djvu'
}

const MOVING = /^(\x80theora|\x01video|BBCD|KW-DIRAC|OVP80)/
const SOUND: [RegExp, string][] = [
  [/^OpusHead/, 'opus'],
  [/^Speex {3}/, 'spx'],
  [/^(\x01vorbis|\x7fFLAC|fLaC|PCM {5})/, 'ogg'],
]

/** Identifies an Ogg file by the first page of each stream (RFC 3533 §6). */
export const oggStreams: Look = async (file) => {
  let sound: string | undefined
  for (let at = 0, pages = 0; pages < 16; pages++) {
    const page = await file.read(at, 512)
    const starts = page.toString('latin1', 0, 4) === 'OggS' && (page[5]! & 2) === 2
    if (!starts) break
    const body = 27 + page[26]!
    const mark = page.toString('latin1', body, body + 16)
    if (MOVING.test(mark)) return 'ogv'
    sound ??= SOUND.find(([pattern]) => pattern.test(mark))?.[1]
    at += body + page.subarray(27, body).reduce((sum, segment) => sum + segment, 0)
  }
  return sound ?? unsupported('Ogg')
}

const guid = (hex: string) => Buffer.from(hex.replaceAll('-', ''), 'hex')
const STREAM_PROPERTIES = guid('9107dcb7-b7a9cf11-8ee600c00c205365')
const VIDEO = guid('c0ef19bc-4d5bcf11-a8fd00805f5c442b')
const AUDIO = guid('409e69f8-4d5bcf11-a8fd00805f5c442b')

/** Identifies an ASF file by its stream properties (ASF specification §3.3). */
export const asfStreams: Look = async (file, hint) => {
  const header = await file.read(0, Math.min(Number(file.head.readBigUInt64LE(16)), 1024 * 1024))
  let sound = false
  for (let at = header.indexOf(STREAM_PROPERTIES), count = 0; at >= 0 && count < 64; count++) {
    const type = header.subarray(at + 24, at + 40)
    if (type.equals(VIDEO)) {
      if (hint === 'asf' || hint === 'wmv') return hint
      return /^(WM|WV|MSS)/i.test(header.toString('latin1', at + 105, at + 109)) ? 'wmv' : 'asf'
    }
    sound ||= type.equals(AUDIO)
    at = header.indexOf(STREAM_PROPERTIES, at + 24)
  }
  return sound ? 'wma' : ['asf', 'wma', 'wmv'].includes(hint) ? hint : 'asf'
}

/** Identifies RealMedia: a video stream makes it a video. The variable bit rate format differs by name only. */
export const realMedia: Look = ({ head }: Source, hint) => {
  if (head.includes('VIDO') || head.includes('video/x-pn-')) return hint === 'rmvb' ? 'rmvb' : 'rm'
  return 'ra'
}
