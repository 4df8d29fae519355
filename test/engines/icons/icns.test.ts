import t from 'tap'
import { icns, icnsSizes, largest } from '../../../engines/programs/icons/icns.ts'
import { icoSizes } from '../../../engines/programs/icons/ico.ts'

t.strictSame(icoSizes(300), [16, 24, 32, 48, 64, 96, 128, 256])
t.strictSame(icoSizes(40), [16, 24, 32, 40], 'its own size, and none larger')
t.strictSame(icoSizes(7), [7])
t.strictSame(icnsSizes(7), [16])
t.strictSame(icnsSizes(100), [16, 32, 48, 128], 'up to the first that holds it')
t.strictSame(icnsSizes(5000), [16, 32, 48, 128, 256, 512, 1024])

const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const png = (width: number) => Buffer.concat([head, Buffer.from([0, 0, width >> 8, width & 255, 0, 0, 0, 1])])
const entry = (size: number) => ({ size, png: png(size), rgba: Buffer.alloc(size * size * 4, 7) })

t.test('an icon file', async (t) => {
  const file = icns([entry(16), entry(512), entry(256)])
  t.equal(file.toString('latin1', 0, 4), 'icns')
  t.equal(file.readUInt32BE(4), file.length)
  t.same(largest(file, 'png'), png(512))
  t.equal(file.toString('latin1', 8, 12), 'is32')
  // 256 times one value in each of three channels: a run of 130 and one of 126.
  t.same([...file.subarray(16, 20)], [255, 7, 251, 7])
  t.equal(file.readUInt32BE(12), 8 + 3 * 4)
})

t.test('its pixels are packed, runs and others, to the last one', async (t) => {
  const values = [1, 2, 3, ...Array(250).fill(7), 4, 5, 6]
  const file = icns([{ size: 16, png: png(16), rgba: Buffer.from(values.flatMap((value) => [value, 0, 0, 255])) }])
  t.same([...file.subarray(16, 28)], [2, 1, 2, 3, 255, 7, 245, 7, 2, 4, 5, 6])
})

t.test('hostile icon files end the search', async (t) => {
  for (const tail of ['', 'ic09\0\0\0\0', 'ic09\xff\xff\xff\xff', 'ic09\0\0\0\x08'])
    t.equal(largest(Buffer.from(`icns\0\0\0\0${tail}`, 'latin1'), 'png'), undefined)
})
