/** Animations in small files that would become hours of video. */
import t from 'tap'
import { studio } from '../audio/studio.ts'

const { convert, file, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

/** A GIF with frames of one pixel each, with a duration in hundredths of a second. */
function gif(frames: number, side: number, delay = 0): Promise<string> {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(side, 6)
  head.writeUInt16LE(side, 8)
  const control = Buffer.from([0x21, 0xf9, 4, 0, delay & 255, delay >> 8, 0, 0])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const shown = Array(frames).fill(Buffer.concat([control, frame]))
  return file('gif', Buffer.concat([head, ...shown, Buffer.from(';')]))
}

t.test('the declared number, size and duration of frames are limited', async (t) => {
  const bombs: [string, string, RegExp][] = [
    ['a million frames', await gif(1_000_000, 2000), /1,000,000 frames of 2,000 × 2,000 pixels; at most/],
    ['a million small frames', await gif(1_000_000, 16), /1,000,000 frames of 16 × 16 pixels; at most/],
    ['frames that are large', await gif(9000, 4000), /9,000 frames of 4,000 × 4,000 .* 20,000 megapixels/],
    ['frames that last', await gif(300, 2000, 65_535), /1,\d{3},\d{3} frames of 2,000 × 2,000 pixels/],
  ]
  for (const [what, path, message] of bombs) {
    for (const to of ['mp4', 'webm']) {
      const began = performance.now()
      await t.rejects(convert(path, to), { code: 'RESOURCE_LIMIT', message }, `${what} to ${to}`)
      const took = performance.now() - began
      t.ok(took < 60_000, `${what} to ${to}: ${Math.round(took)} ms`)
    }
  }
  const asked = /60,000 frames of 1,000 × 1,000/
  const slow = await gif(4000, 1000, 50)
  await t.rejects(convert(slow, 'mp4', { framerate: 30 }), { code: 'RESOURCE_LIMIT', message: asked })
})

t.test('ordinary animations of some thousand frames become videos', async (t) => {
  const { picture } = await convert(await gif(3000, 200, 4), 'mp4')
  t.equal(Number(picture.nb_frames), 3000)
})
