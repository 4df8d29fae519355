import { inflateSync } from 'node:zlib'

/** Returns the decompressed text files of a RocketBook: name, content. */
export function readRocketBook(bytes: Buffer): { name: string; text: string }[] {
  const table = bytes.readUInt32LE(0x18)
  const found = []
  for (let index = 0; index < bytes.readUInt32LE(table); index++) {
    const at = table + 4 + index * 44
    const name = bytes.toString('latin1', at, at + 32).replace(/\0.*$/s, '')
    const [length, offset, flag] = [0, 4, 8].map((step) => bytes.readUInt32LE(at + 32 + step))
    if (!/\.(html|info)$/.test(name)) continue
    const part = bytes.subarray(offset!, offset! + length!)
    found.push({ name, text: (flag === 8 ? inflate(part) : part).toString('latin1') })
  }
  return found
}

/** Pages of 4 KiB, each compressed, after the list of their lengths. */
function inflate(part: Buffer): Buffer {
  const count = part.readUInt32LE(0)
  let at = 8 + 4 * count
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const page = part.subarray(at, (at += part.readUInt32LE(8 + 4 * index)))
      return inflateSync(page, { finishFlush: 2 })
    }),
  )
}
