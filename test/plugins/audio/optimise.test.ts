/** The same audio in fewer bytes, never in more. */
import { readFile, stat } from 'node:fs/promises'
import t from 'tap'
import { ffmpeg } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { sounding, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, file, packets, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const decoded = async (path: string) => (await ffmpeg('-i', path, '-map', '0:a', '-f', 'md5', '-')).toString()

t.test('the audio does not change', async (t) => {
  const sources = {
    mp3: await film('mp3', ...sounding(2), '-c:a', 'libmp3lame', '-metadata', 'title=Ω'),
    m4a: await film('m4a', ...sounding(2), '-metadata', 'title=Ω'),
    ogg: await film('ogg', ...sounding(2), '-c:a', 'libvorbis'),
    flac: await film('flac', ...sounding(2), '-compression_level', 0, '-metadata', 'title=Ω'),
    wav: await film('wav', ...sounding(2)),
  }
  for (const [format, source] of Object.entries(sources)) {
    const made = await convert(source, format)
    t.ok(made.size <= (await stat(source)).size, `${format}: ${made.size} bytes`)
    t.equal(await decoded(made.path), await decoded(source), `${format} sounds the same`)
    if (format === 'flac') t.ok(made.size < (await stat(source)).size, 'flac is packed better')
    if (format === 'flac' || format === 'mp3') t.equal(made.tags.title ?? made.tags.TITLE, 'Ω')
  }
  const deep = await film('flac', ...sounding(1), '-c:a', 'flac', '-sample_fmt', 's32', '-compression_level', 0)
  const made = await convert(deep, 'flac')
  t.equal(made.sound.bits_per_raw_sample, '24')
  t.equal(await decoded(made.path), await decoded(deep))
})

t.test('padding is removed, covers are kept', async (t) => {
  for (const format of ['mp3', 'flac', 'm4a']) {
    const source = await sample(format)
    const made = await convert(source.path, format)
    t.ok(
      made.streams.some(({ disposition }) => disposition.attached_pic),
      `${format} keeps its cover`,
    )
    t.ok(made.size <= (await stat(source.path)).size)
  }
  const plain = await readFile(await film('mp3', ...sounding(2)))
  const tag = plain.subarray(6, 10).reduce((size, byte) => size * 128 + byte, 0)
  const padding = 40_000
  const header = Buffer.from(plain.subarray(0, 10))
  for (let at = 9, rest = tag + padding; at > 5; at--, rest >>= 7) header[at] = rest & 127
  const padded = await file(
    'mp3',
    Buffer.concat([header, plain.subarray(10, 10 + tag), Buffer.alloc(padding), plain.subarray(10 + tag)]),
  )
  // The frame that states the duration is rewritten.
  t.ok((await convert(padded, 'mp3')).size <= plain.length + 500)
})

t.test('a file that cannot become smaller is returned unchanged', async (t) => {
  const once = await convert(await film('flac', ...sounding(2)), 'flac')
  const bytes = await readFile(once.path)
  const again = await file('flac', bytes)
  t.same(await readFile((await convert(again, 'flac')).path), bytes)
  const wav = await film('wav', ...sounding(1))
  t.same(await readFile((await convert(wav, 'wav')).path), await readFile(wav))
})

t.test('options change the audio', async (t) => {
  const wav = await film('wav', ...sounding(1))
  t.equal((await convert(wav, 'wav', { channels: 1 })).sound.channels, 1)
  t.equal((await convert(wav, 'wav', { sampleRate: 8000 })).sound.sample_rate, '8000')
  const mp3 = await film('mp3', ...sounding(2), '-b:a', '320k')
  t.equal((await convert(mp3, 'mp3', { bitrate: 64 })).sound.bit_rate, '64000')
})
