/**
 * Makes an archive of LArc with one file: method lz5 without a match, in a header of level 0.
 *
 * @param date As DOS has it.
 */
export function larc(name: string, content: Buffer, date = 0x3c2c): Buffer {
  const data = Buffer.concat(
    // Eight bits say of what follows that it is a byte each.
    Array.from({ length: Math.ceil(content.length / 8) }, (_, index) => [
      Buffer.from([0xff]),
      content.subarray(index * 8, index * 8 + 8),
    ]).flat(),
  )
  const header = Buffer.alloc(20)
  header.write('-lz5-', 0, 'latin1')
  header.writeUInt32LE(data.length, 5)
  header.writeUInt32LE(content.length, 9)
  header.writeUInt16LE(date, 15)
  header[17] = 0x20
  header[19] = name.length
  const crc = Buffer.alloc(2)
  crc.writeUInt16LE(crc16(content))
  const whole = Buffer.concat([header, Buffer.from(name, 'latin1'), crc])
  const sum = whole.reduce((total, byte) => (total + byte) & 0xff, 0)
  return Buffer.concat([Buffer.from([whole.length, sum]), whole, data, Buffer.from([0])])
}

/** CRC-16 of LHA and ARC. */
function crc16(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
