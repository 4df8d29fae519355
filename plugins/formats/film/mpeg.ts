import type { Look } from '../../../kernel/contract.ts'

/** MPEG transport streams, by sync bytes at every packet: 188 bytes, 192 with a time code, 204 with parity. */
export const transportStream: Look = ({ head, size }, hint) => {
  for (const [packet, first, last] of [
    [188, 0, 0],
    [192, 4, 4],
    [204, 0, 0],
    [188, 1, 187],
  ] as const) {
    for (let at = first; at <= last; at++) {
      const wanted = Math.min(5, Math.floor((size - at) / packet))
      if (wanted < (last > first ? 5 : 2)) continue
      let synced = 0
      while (synced < wanted && head[at + synced * packet] === 0x47) synced++
      if (synced === wanted) return hint === 'mts' ? 'mts' : packet === 192 ? 'm2ts' : 'ts'
    }
  }
  return undefined
}

/** MPEG program streams and elementary video (ISO 13818-1 §2.5). Those of DVDs have navigation packs. */
export const programStream: Look = ({ head }, hint) => {
  const code = head.readUInt32BE(0)
  if (code === 0x000001b3) return 'mpg'
  if (code !== 0x000001ba || ((head[4]! & 0xf0) !== 0x20 && (head[4]! & 0xc0) !== 0x40)) return undefined
  return hint === 'vob' || head.includes(Buffer.from([0, 0, 1, 0xbf, 3, 0xd4])) ? 'vob' : 'mpg'
}

/** AC-3 and E-AC-3 frames (ATSC A/52 §5.4.1, annex E). A second frame must follow unless the file ends. */
export const dolbyFrames: Look = ({ head, size }) => {
  const bsid = head[5]! >> 3
  if (bsid > 16 || head.length < 8) return undefined
  const rate = head[4]! >> 6
  let length = (head.readUInt16BE(2) & 0x7ff) * 2 + 2
  if (bsid <= 10) {
    const code = head[4]! & 63
    if (rate === 3 || code > 37) return undefined
    const kbits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640][code >> 1]!
    length = rate === 0 ? kbits * 4 : rate === 2 ? kbits * 6 : (Math.floor((kbits * 320) / 147) + (code & 1)) * 2
  }
  const goesOn = length + 2 <= Math.min(size, head.length)
  return !goesOn || head.readUInt16BE(length) === 0x0b77 ? 'ac3' : undefined
}
