/** AVIF sequences of many frames. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import t from 'tap'
import { ffmpeg } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(60 * 60_000)

t.test('avif sequences are measured before they are decoded', async (t) => {
  await using machine = await studio()
  const { convert, failure, folder } = machine
  /** Some seconds of one colour at 10 frames a second: two frames, and copies of them. */
  async function sequence(name: string, side: number, seconds: number): Promise<Buffer> {
    const two = `${folder}/two.avif`
    const path = `${folder}/${name}.avif`
    const codec = ['-frames:v', 2, '-c:v', 'libaom-av1', '-cpu-used', 8, '-g', 1, '-f', 'avif']
    await ffmpeg('-f', 'lavfi', '-i', `color=red:size=${side}x${side}:rate=10`, ...codec, two)
    await ffmpeg('-stream_loop', seconds * 5 - 1, '-i', two, '-c', 'copy', '-f', 'avif', path)
    return readFile(path)
  }
  const large = await sequence('large', 2000, 200)
  t.ok(large.length < 200_000, `${large.length} bytes`)
  for (const to of ['webp', 'gif', 'apng']) {
    const { code, message } = await failure(large, `avif>${to}`)
    t.equal(code, 'RESOURCE_LIMIT', to)
    t.match(message, /^The animation has 2,000 frames of 2,000 × 2,000 pixels; at most 268 megapixels/)
  }
  // The table of times counts 9 frames, the table of sizes 2,000.
  const liar = Buffer.from(large)
  const times = liar.indexOf('stts')
  t.same([liar.readUInt32BE(times + 8), liar.readUInt32BE(times + 12)], [1, 2000])
  liar.writeUInt32BE(9, times + 12)
  const { pages } = await sharp((await convert(liar, 'avif>gif')).bytes, { limitInputPixels: false }).metadata()
  t.equal(pages, 9, 'no more frames than the file announces')
  t.match((await failure(large, 'avif>jpg')).code, /^made/, 'a still of its first frame')
  t.match((await failure(await sequence('ordinary', 200, 30), 'avif>webp')).code, /^made/, '300 frames')
})
