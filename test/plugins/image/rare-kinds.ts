/** Textures and DICOM of kinds that no program at hand writes. */

/** A DirectDraw surface of one channel in blocks (BC4), with sides that are multiples of 4. */
export function blocks(grey: Buffer, width: number, height: number, code: 'ATI1' | 'DX10'): Buffer {
  const data = Buffer.alloc((width * height) / 2)
  let at = 0
  for (let top = 0; top < height; top += 4)
    for (let left = 0; left < width; left += 4, at += 8) {
      const levels = Array.from({ length: 16 }, (_, dot) => grey[(top + (dot >> 2)) * width + left + (dot & 3)]!)
      block(levels).copy(data, at)
    }
  const head = Buffer.alloc(128)
  head.write('DDS ')
  const fields = { 4: 124, 8: 0x81007, 12: height, 16: width, 20: data.length, 76: 32, 80: 4, 108: 0x1000 }
  for (const [offset, value] of Object.entries(fields)) head.writeUInt32LE(value, Number(offset))
  head.write(code, 84)
  // DXGI_FORMAT_BC4_UNORM, two dimensions, no flags, one picture.
  const more = code === 'DX10' ? Buffer.from(new Uint32Array([80, 3, 0, 1, 0]).buffer) : Buffer.alloc(0)
  return Buffer.concat([head, more, data])
}

/** The brightest and the darkest of 16 levels, then an index of three bits for each among eight steps between them. */
function block(levels: readonly number[]): Buffer {
  const high = Math.max(...levels)
  const low = Math.min(...levels)
  const steps = [high, low, ...Array.from({ length: 6 }, (_, step) => ((6 - step) * high + (step + 1) * low) / 7)]
  let bits = 0n
  for (const [dot, level] of levels.entries()) {
    const distances = steps.map((step) => Math.abs(step - level))
    bits |= BigInt(high === low ? 0 : distances.indexOf(Math.min(...distances))) << BigInt(3 * dot)
  }
  const out = Buffer.alloc(8)
  out.writeBigUInt64LE((bits << 16n) | BigInt(low << 8) | BigInt(high))
  return out
}

/** DICOM (PS3.5) around a lossless codestream of JPEG 2000 in three colours of 8 bits. */
export function medical(codestream: Buffer, width: number, height: number): Buffer {
  const even = (bytes: Buffer, fill: number) => (bytes.length % 2 ? Buffer.concat([bytes, Buffer.of(fill)]) : bytes)
  const word = (...values: number[]) => Buffer.from(new Uint16Array(values).buffer)
  const long = (value: number) => Buffer.from(new Uint32Array([value]).buffer)
  const element = (group: number, number: number, type: string, value: Buffer | string) => {
    const data = even(Buffer.from(value), type === 'CS' ? 32 : 0)
    const length = type === 'OB' ? [word(0), long(data.length)] : [word(data.length)]
    return Buffer.concat([word(group, number), Buffer.from(type), ...length, data])
  }
  const number = (tag: number, value: number) => element(0x28, tag, 'US', word(value))
  const item = (tag: number, data: Buffer) => Buffer.concat([word(0xfffe, tag), long(data.length), data])
  const capture = '1.2.840.10008.5.1.4.1.1.7'
  const meta = Buffer.concat([
    element(2, 1, 'OB', Buffer.of(0, 1)),
    element(2, 2, 'UI', capture),
    element(2, 3, 'UI', '1.2.3'),
    element(2, 0x10, 'UI', '1.2.840.10008.1.2.4.90'),
    element(2, 0x12, 'UI', '1.2.4'),
  ])
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(2, 0, 'UL', long(meta.length)),
    meta,
    element(8, 0x16, 'UI', capture),
    element(8, 0x18, 'UI', '1.2.3'),
    number(2, 3),
    element(0x28, 4, 'CS', 'YBR_RCT'),
    number(6, 0),
    number(0x10, height),
    number(0x11, width),
    number(0x100, 8),
    number(0x101, 8),
    number(0x102, 7),
    number(0x103, 0),
    word(0x7fe0, 0x10),
    Buffer.from('OB'),
    word(0),
    long(0xffffffff),
    item(0xe000, Buffer.alloc(0)),
    item(0xe000, even(codestream, 0)),
    item(0xe0dd, Buffer.alloc(0)),
  ])
}
