/** Covers of sounds: the front one, as JPEG or PNG, whatever the source holds under which name. */
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { ffmpeg, program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'
import { probe } from '../../matrix/sound.ts'
import { film, sounding, told } from '../films.ts'

t.setTimeout(10 * 60_000)
const { convert, file, folder, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const FRONT = 3
const BACK = 4
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A picture block (RFC 9639 §8.8). */
function block(type: number, mime: string, picture: Buffer): Buffer {
  const head = [number(type), number(mime.length), Buffer.from(mime), number(0)]
  return Buffer.concat([...head, ...[40, 40, 24, 0, picture.length].map(number), picture])
}

const sound = await readFile(await film(folder, 'flac', ...sounding(1)))

/** A FLAC file with these picture blocks after its first block. */
function covered(...blocks: readonly Buffer[]): Promise<string> {
  const first = 8 + sound.readUIntBE(5, 3)
  const parts = blocks.flatMap((one) => [Buffer.from([6]), number(one.length).subarray(1), one])
  return file('covered.flac', Buffer.concat([sound.subarray(0, first), ...parts, sound.subarray(first)]))
}

const plain = (background: string) => sharp({ create: { width: 40, height: 40, channels: 3, background } })
const red = await plain('red').jpeg().toBuffer()
const blue = await plain('blue').jpeg().toBuffer()
const webp = await plain('red').webp().toBuffer()

/** The kind of a file's cover and its colour; undefined: there is none. */
async function coverOf(path: string): Promise<string | undefined> {
  const { picture } = await told(path)
  if (!picture.codec_name) return undefined
  const cover = await ffmpeg('-i', path, '-map', '0:v:0', '-c', 'copy', '-f', 'image2pipe', '-')
  const { format } = await sharp(cover).metadata()
  const [r = 0, g = 0, b = 0] = await sharp(cover).removeAlpha().raw().toBuffer()
  return `${format} ${r > 200 && g < 50 ? 'red' : b > 200 ? 'blue' : 'other'}`
}

const cases: readonly [name: string, pictures: Buffer[], cover: string | undefined, ...targets: string[]][] = [
  [
    'the front cover is the second',
    [block(BACK, 'image/jpeg', blue), block(FRONT, 'image/jpeg', red)],
    'jpeg red',
    'm4a',
  ],
  ['WebP that is called JPEG', [block(FRONT, 'image/jpeg', webp)], 'jpeg red', 'mp3', 'ogg'],
  ['WebP, which FFmpeg skips', [block(FRONT, 'image/webp', webp)], 'jpeg red', 'm4a', 'mka'],
  ['no media type', [block(FRONT, '', red)], 'jpeg red', 'mp3'],
  ['GIF', [block(FRONT, 'image/gif', await plain('red').gif().toBuffer())], 'png red', 'mp3'],
  ['no picture at all', [block(FRONT, 'image/jpeg', Buffer.from('<html>not found</html>'))], undefined, 'mp3'],
]

for (const [name, pictures, cover, ...targets] of cases)
  t.test(name, async (t) => {
    const source = await covered(...pictures)
    for (const to of targets) {
      const { path } = await convert(source, `flac>${to}`)
      t.equal(await coverOf(path), cover, to)
      t.ok(Math.abs((await told(path)).seconds - 1) < 0.1, `${to}: the sound is whole`)
    }
  })

t.test('optimised, it keeps all covers', async (t) => {
  const { path } = await convert(
    await covered(block(BACK, 'image/jpeg', blue), block(FRONT, 'image/jpeg', red)),
    'flac>flac',
  )
  t.equal((await told(path)).streams.length, 3)
})

t.test('FLAC of 32 bits: the samples, tags and the cover', async (t) => {
  const wave = join(folder, 'deep.wav')
  await ffmpeg(...sounding(0.5), '-c:a', 'pcm_s32le', wave)
  await program('flac', '--silent', '--picture', await file('red.jpg', red), '-T', 'TITLE=Größe', wave)
  const source = join(folder, 'deep.flac')
  await chmod(source, 0o644)
  for (const to of ['wav', 'mp3', 'ogg', 'mka', 'amr', 'flac']) {
    const { path } = await convert(source, `flac>${to}`, to === 'flac' ? { channels: 1 } : {})
    t.ok(Math.abs((await told(path)).seconds - 0.5) < 0.1, `${to}: the sound is whole`)
    if (to === 'wav' || to === 'amr') continue
    t.equal(await coverOf(path), 'jpeg red', to)
    const { tags = {} } = (await probe(path)).format
    if (to !== 'ogg') t.equal(tags.title ?? tags.TITLE, 'Größe', to)
  }
  const samples = async (path: string) => (await ffmpeg('-i', path, '-c:a', 'pcm_s24le', '-f', 'md5', '-')).toString()
  t.equal(await samples((await convert(source, 'flac>wav')).path), await samples(wave))
  t.same(await readFile((await convert(source, 'flac>flac')).path), await readFile(source), 'it does not get smaller')
})
