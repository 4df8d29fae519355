import { open } from 'node:fs/promises'

export const SIGNATURE = Buffer.from('8a4d4e470d0a1a0a', 'hex')
const HEAD = 8
const MAX = 100_000

/**
 * Durations of the frames of an MNG in milliseconds (MNG 1.0, 4.1.1 and 4.3.2). Empty if frames consist of several
 * pictures.
 */
export async function mngDelays(path: string): Promise<number[]> {
  await using file = await open(path)
  const read = async (at: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer
  const { size } = await file.stat()
  const delays: number[] = []
  let ticks = 1000
  let usual = 1
  let next = 1
  let mode = 1
  for (let at = SIGNATURE.length; at + HEAD <= size && delays.length < MAX; ) {
    const head = await read(at, HEAD)
    const length = head.readUInt32BE(0)
    const name = head.toString('latin1', 4)
    const body = name === 'MHDR' || name === 'FRAM' ? await read(at + HEAD, Math.min(length, 256)) : undefined
    if (body && name === 'MHDR' && length >= 12) ticks = body.readUInt32BE(8) || 1000
    if (body && name === 'FRAM') {
      if (length > 0 && body[0]! > 0) mode = body[0]!
      if (mode === 2 || mode === 4) return []
      next = usual
      const changes = body.indexOf(0, 1) + 1
      // One byte says what changes, then come four flags, of which the first is about the delay.
      if (changes > 0 && changes + 8 <= body.length && body[changes]! > 0) {
        next = body.readUInt32BE(changes + 4)
        if (body[changes] === 2) usual = next
      }
    }
    if (name === 'IHDR' || name === 'JHDR') delays.push(Math.round((next * 1000) / ticks))
    at += HEAD + length + 4
  }
  return delays
}
