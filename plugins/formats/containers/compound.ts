import type { Look, Source } from '../../../kernel/contract.ts'
import { executable, unsupported } from '../refusals.ts'

const MAX_SECTORS = 128
const END_OF_CHAIN = 0xfffffffa

interface Stream {
  name: string
  left: number
  right: number
  child: number
  /** First sector of its content. */
  start: number
}

/** Identifies a compound file by its streams (MS-CFB). */
export const compoundStreams: Look = async (file, hint) => {
  const directory = await readDirectory(file).catch(() => [])
  const streams = directory.length ? atRoot(directory) : []
  // Names are compared without case (MS-CFB 2.6.4), and some writers use capitals.
  const names = new Set(streams.map(({ name }) => name.toLowerCase()))
  // If the directory is damaged, its names may still be in the head.
  const has = (name: string) =>
    names.size ? names.has(name.toLowerCase()) : file.head.includes(Buffer.from(name, 'utf16le'))

  if (has('EncryptedPackage')) return /^(doc[xm]|dotx|xls[xmb]|ppt[xm]|ppsx|potx|vsdx)$/.test(hint) ? hint : 'docx'
  if (has('__properties_version1.0') || has('__nameid_version1.0')) return 'msg'
  if (has('PowerPoint Document') || has('PP40')) return hint === 'pps' ? 'pps' : 'ppt'
  if (has('Quill')) return 'pub'
  if (has('VisioDocument')) return 'vsd'
  if (has('WordDocument')) return (await isTemplate(file, streams, hint)) ? 'dot' : 'doc'
  if (has('Workbook') || has('Book')) return 'xls'
  if (has('FileHeader') && (has('BodyText') || has('DocInfo'))) return 'hwp'
  if (has('PerfectOffice_MAIN')) return 'wpd'
  if (has('MatOST') || streams.some(({ name }) => name === 'CONTENTS')) return 'wps'
  // Windows Installer encodes the names of its tables in a private range of Unicode.
  if (streams.some(({ name }) => name.charCodeAt(0) === 0x4840)) return executable
  return unsupported('compound document')
}

/** Whether a Word file is a template: by its name, else by the flag fDot of the FIB (MS-DOC 2.5.2). */
async function isTemplate(file: Source, streams: Stream[], hint: string): Promise<boolean> {
  if (hint === 'doc' || hint === 'dot') return hint === 'dot'
  const stream = streams.find(({ name }) => name.toLowerCase() === 'worddocument')
  const fib = stream && (await file.read((stream.start + 1) * sectorSize(file.head), 12))
  return fib?.length === 12 && fib.readUInt16LE(0) === 0xa5ec && (fib[10]! & 1) === 1
}

const sectorSize = (head: Buffer) => (head.readUInt16LE(30) === 12 ? 4096 : 512)

async function readDirectory(file: Source): Promise<Stream[]> {
  const size = sectorSize(file.head)
  const perSector = size / 4
  const fatSector = await fatLocator(file, size)
  const streams: Stream[] = []
  let sector = file.head.readUInt32LE(48)
  // The count stops circular chains.
  for (let hops = 0; sector < END_OF_CHAIN && hops < MAX_SECTORS; hops++) {
    const bytes = await file.read((sector + 1) * size, size)
    for (let p = 0; p + 128 <= bytes.length; p += 128) streams.push(readStream(bytes.subarray(p, p + 128)))
    const fat = await fatSector(Math.floor(sector / perSector))
    if (fat === undefined) break
    const next = await file.read((fat + 1) * size + (sector % perSector) * 4, 4)
    if (next.length < 4) break
    sector = next.readUInt32LE(0)
  }
  return streams
}

/** The sectors of the FAT: the first 109 are in the header, the others in a separate chain. */
async function fatLocator(file: Source, size: number) {
  const perSector = size / 4 - 1
  return async (index: number): Promise<number | undefined> => {
    if (index < 109) return file.head.readUInt32LE(76 + index * 4)
    let sector = file.head.readUInt32LE(68)
    for (let hops = Math.floor((index - 109) / perSector); hops > 0; hops--) {
      if (sector >= END_OF_CHAIN) return undefined
      sector = (await file.read((sector + 1) * size + perSector * 4, 4)).readUInt32LE(0)
    }
    if (sector >= END_OF_CHAIN) return undefined
    return (await file.read((sector + 1) * size + ((index - 109) % perSector) * 4, 4)).readUInt32LE(0)
  }
}

function readStream(bytes: Buffer): Stream {
  const length = Math.min(64, Math.max(2, bytes.readUInt16LE(64)))
  return {
    name: bytes.toString('utf16le', 0, length - 2),
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    start: bytes.readUInt32LE(116),
  }
}

/** The streams directly below the root. Those of embedded objects are deeper. */
function atRoot(directory: Stream[]): Stream[] {
  const seen = new Set<number>()
  const open = [directory[0]!.child]
  while (open.length) {
    const id = open.pop()!
    const stream = directory[id]
    if (!stream || seen.has(id)) continue
    seen.add(id)
    open.push(stream.left, stream.right)
  }
  return seen.size ? [...seen].map((id) => directory[id]!) : directory
}
