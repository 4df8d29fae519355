import { open } from 'node:fs/promises'
import { Refusal } from '../refusal/refusal.ts'

/** Bytes at the start of a file that describe it. */
const HEAD = 64 * 1024
/** Transfer functions of high dynamic range, PQ and HLG, and the matrix of RGB (ITU-T H.273, tables 3 and 4). */
const BRIGHT = [16, 18]
const RGB = 0

/** The first bytes of a file, at most 64 KiB. */
export async function beginning(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
  return buffer.subarray(0, bytesRead)
}

/** What the colour box of an AVIF says (ISO/IEC 23000-22; ISO/IEC 14496-12, 12.1.5). Neither if there is none. */
export function colours(start: Buffer): { bright: boolean; exact: boolean } {
  const at = start.indexOf('colrnclx') + 8
  if (at < 8 || at + 6 > start.length) return { bright: false, exact: false }
  return { bright: BRIGHT.includes(start.readUInt16BE(at + 2)), exact: start.readUInt16BE(at + 4) === RGB }
}

/** Whether a PNG says that it has a high dynamic range (PNG, third edition, 11.3.2.6). */
function brightPng(start: Buffer): boolean {
  const at = start.indexOf('cICP') + 4
  return at >= 4 && at + 2 <= start.length && at < start.indexOf('IDAT') && BRIGHT.includes(start[at + 1]!)
}

/** Refuses high dynamic range in AVIF and PNG: libvips would take the samples for sRGB. Other readers tone map it. */
export async function refuseBright(file: string, format: string): Promise<void> {
  const start = await beginning(file)
  if (format === 'png' ? brightPng(start) : colours(start).bright)
    throw new Refusal('The picture has a high dynamic range, and could not be tone mapped')
}
