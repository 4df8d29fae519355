/**
 * `wrap.ts --check INPUT` refuses a JPEG-LS picture whose colours alternate pixel by pixel: FFmpeg decodes those
 * wrongly. `wrap.ts INPUT OUTPUT` puts a JPEG-LS picture, a lossless JPEG or one of 12 bits into a DICOM file (PS3.10)
 * for programs that read those only.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { refuse } from '../refusal/refusal.ts'
import { type Frame, frameOf } from './frame.ts'

/** A data element with explicit length, in little endian (PS3.5, 7.1.2). */
function element(group: number, number: number, type: string, value: Buffer | string | number): Buffer {
  const plain = typeof value === 'string' ? Buffer.from(value, 'latin1') : value
  const data = typeof plain === 'number' ? Buffer.of(plain & 255, plain >> 8) : plain
  const even = data.length % 2 ? Buffer.concat([data, Buffer.of(type === 'UI' ? 0 : 32)]) : data
  const long = type === 'OB'
  const head = Buffer.alloc(long ? 12 : 8)
  head.writeUInt16LE(group, 0)
  head.writeUInt16LE(number, 2)
  head.write(type, 4, 'latin1')
  if (long) head.writeUInt32LE(even.length, 8)
  else head.writeUInt16LE(even.length, 6)
  return Buffer.concat([head, even])
}

/** An item of encapsulated pixels, or the end of them (PS3.5, annex A.4). */
function item(number: number, data: Buffer = Buffer.alloc(0)): Buffer {
  const even = data.length % 2 ? Buffer.concat([data, Buffer.of(0)]) : data
  const head = Buffer.alloc(8)
  head.writeUInt16LE(0xfffe, 0)
  head.writeUInt16LE(number, 2)
  head.writeUInt32LE(even.length, 4)
  return Buffer.concat([head, even])
}

function dicom(frame: Frame, bytes: Buffer): Buffer {
  const capture = '1.2.840.10008.5.1.4.1.1.7'
  const meta = Buffer.concat([
    element(2, 1, 'OB', Buffer.of(0, 1)),
    element(2, 2, 'UI', capture),
    element(2, 3, 'UI', '2.25.1'),
    element(2, 0x10, 'UI', `1.2.840.10008.1.2.4.${frame.syntax}`),
    element(2, 0x12, 'UI', '2.25.2'),
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(meta.length)
  const pixels = element(0x7fe0, 0x10, 'OB', '')
  pixels.writeUInt32LE(0xffffffff, 8)
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(2, 0, 'UL', length),
    meta,
    element(8, 0x16, 'UI', capture),
    element(8, 0x18, 'UI', '2.25.1'),
    element(0x28, 2, 'US', frame.components),
    element(0x28, 4, 'CS', frame.components === 1 ? 'MONOCHROME2' : frame.chroma ? 'YBR_FULL' : 'RGB'),
    frame.components === 1 ? Buffer.alloc(0) : element(0x28, 6, 'US', 0),
    element(0x28, 0x10, 'US', frame.height),
    element(0x28, 0x11, 'US', frame.width),
    element(0x28, 0x100, 'US', frame.bits > 8 ? 16 : 8),
    element(0x28, 0x101, 'US', frame.bits),
    element(0x28, 0x102, 'US', frame.bits - 1),
    element(0x28, 0x103, 'US', 0),
    pixels,
    item(0xe000),
    item(0xe000, bytes),
    item(0xe0dd),
  ])
}

const [mode = '', target = ''] = process.argv.slice(2)
const bytes = await readFile(mode === '--check' ? target : mode)
const frame = frameOf(bytes)
if (mode !== '--check') await writeFile(target, dicom(frame, bytes))
else if (frame.interleaved) refuse('The colours of the picture alternate pixel by pixel')
