import type { Look, Source } from '../../../kernel/contract.ts'
import type { OwnFormat } from '../family.ts'
import { cameraRaws } from '../raster/camera-raw.ts'

const tiffs = Object.entries<OwnFormat>(cameraRaws).flatMap(([extension, { tiff }]) =>
  tiff ? [{ extension, ...tiff }] : [],
)
const RAWS = tiffs.map(({ extension }) => extension)
const RAW_COMPRESSIONS = tiffs.flatMap(({ compressions = [] }) => compressions)
const CFA = 32803

/** Tags (TIFF 6.0, DNG 1.7). */
const NEW_SUBFILE_TYPE = 254
const COMPRESSION = 259
const PHOTOMETRIC = 262
const MAKE = 271
const DNG_VERSION = 50706

/** Identifies camera raw files by the first directory of a TIFF. Among raw formats, the name decides. */
export const tiffDirectory: Look = async (file, hint) => {
  const raw = RAWS.includes(hint) ? hint : undefined
  if (file.head.toString('latin1', 8, 11) === 'CR\x02') return 'cr2'
  const tags = await firstDirectory(file).catch(() => undefined)
  if (!tags) return raw ?? 'tif'
  if (tags.has(DNG_VERSION)) return 'dng'
  const make = tags.get(MAKE)
  const maker = typeof make === 'string' ? tiffs.find((raw) => raw.maker?.test(make))?.extension : undefined
  if (raw && make !== undefined) return raw === 'dng' || raw === 'cr2' ? raw : (maker ?? raw)
  const thumbnail = tags.get(NEW_SUBFILE_TYPE) === 1
  const sensor = tags.get(PHOTOMETRIC) === CFA || RAW_COMPRESSIONS.includes(Number(tags.get(COMPRESSION)))
  return maker && (thumbnail || sensor) ? maker : 'tif'
}

/** The values of relevant tags. @throws RangeError if the directory is outside the file. */
async function firstDirectory(file: Source): Promise<Map<number, number | string>> {
  const little = file.head[0] === 0x49
  const u16 = (b: Buffer, at: number) => (little ? b.readUInt16LE(at) : b.readUInt16BE(at))
  const u32 = (b: Buffer, at: number) => (little ? b.readUInt32LE(at) : b.readUInt32BE(at))
  const tags = new Map<number, number | string>()
  if (u16(file.head, 2) !== 42) return tags
  const at = u32(file.head, 4)
  const count = Math.min(u16(await file.read(at, 2), 0), 512)
  const entries = await file.read(at + 2, count * 12)
  for (let p = 0; p + 12 <= entries.length; p += 12) {
    const tag = u16(entries, p)
    if (tag === MAKE) {
      const length = u32(entries, p + 4)
      const text =
        length <= 4 ? entries.subarray(p + 8, p + 12) : await file.read(u32(entries, p + 8), Math.min(length, 64))
      tags.set(tag, text.toString('latin1'))
    } else {
      tags.set(tag, u16(entries, p + 2) === 3 ? u16(entries, p + 8) : u32(entries, p + 8))
    }
  }
  return tags
}
