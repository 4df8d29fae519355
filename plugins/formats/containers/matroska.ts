import type { Look, Source } from '../../../kernel/contract.ts'
import { unsupported } from '../refusals.ts'

/** Element identifiers (RFC 9559), with their length markers. */
const SEGMENT = 0x18538067
const TRACKS = 0x1654ae6b
const CLUSTER = 0x1f43b675
const TRACK_ENTRY = 0xae
const TRACK_TYPE = 0x83
const DOC_TYPE = 0x4282

const MAX_TRACKS = 262_144

/** Identifies an EBML file by its document type and tracks. */
export const matroskaTracks: Look = async (file, hint) => {
  const header = element(file.head, 0)
  if (!header) return undefined
  let docType = 'matroska'
  for (const { id, start, end } of elements(file.head, header.start, Math.min(header.end, 4096))) {
    if (id === DOC_TYPE) docType = file.head.toString('latin1', start, end).replace(/\0+$/, '')
  }
  if (docType !== 'webm' && docType !== 'matroska') return unsupported('EBML')
  const web = docType === 'webm'
  const types = await trackTypes(file, header.end)
  const silent = types.length ? !types.includes(1) && types.includes(2) : hint === (web ? 'weba' : 'mka')
  if (silent) return web ? 'weba' : 'mka'
  return web ? 'webm' : 'mkv'
}

/** The types of all tracks (1 video, 2 audio). Skips elements before them. */
async function trackTypes(file: Source, at: number): Promise<number[]> {
  for (let count = 0; count < 64; count++) {
    const bytes = await file.read(at, 16)
    const found = element(bytes, 0)
    if (!found || found.id === CLUSTER) break
    if (found.id === TRACKS) {
      const tracks = await file.read(at + found.start, Math.min(found.end - found.start, MAX_TRACKS))
      return elements(tracks, 0, tracks.length)
        .filter(({ id }) => id === TRACK_ENTRY)
        .flatMap(({ start, end }) => elements(tracks, start, end).filter(({ id }) => id === TRACK_TYPE))
        .map(({ start }) => tracks[start]!)
    }
    at += found.id === SEGMENT ? found.start : found.end
  }
  // Damaged: look for the names of codecs.
  const text = file.head.toString('latin1')
  return [
    ...(/V_(MPEG|VP[89]|AV1|MS|THEORA|PRORES|FFV1)/.test(text) ? [1] : []),
    ...(/A_[A-Z]{3}/.test(text) ? [2] : []),
  ]
}

interface Element {
  id: number
  start: number
  end: number
}

function elements(bytes: Buffer, start: number, end: number): Element[] {
  const list: Element[] = []
  for (let at = start; at < end && list.length < 512; ) {
    const found = element(bytes, at)
    if (!found) break
    list.push({ ...found, end: Math.min(found.end, end) })
    at = found.end
  }
  return list
}

/** Reads an identifier and a size (RFC 8794 §4). An unknown size counts as infinite. */
function element(bytes: Buffer, at: number): Element | undefined {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23
  if (idLength > 4 || at + idLength >= bytes.length) return undefined
  const sizeAt = at + idLength
  const sizeLength = Math.clz32(bytes[sizeAt]!) - 23
  if (sizeLength > 8 || sizeAt + sizeLength > bytes.length) return undefined
  const start = sizeAt + sizeLength
  let size = bytes[sizeAt]! & (0xff >> sizeLength)
  let unknown = size === 0xff >> sizeLength
  for (let i = 1; i < sizeLength; i++) {
    size = size * 256 + bytes[sizeAt + i]!
    unknown &&= bytes[sizeAt + i] === 0xff
  }
  return { id: bytes.readUIntBE(at, idLength), start, end: unknown ? Number.MAX_SAFE_INTEGER : start + size }
}
