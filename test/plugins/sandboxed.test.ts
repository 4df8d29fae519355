/** Engines and programs of our own for archives, sounds, films, subtitles and fonts, each once in the sandbox. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ffmpeg, program } from '../fixtures/program.ts'
import { sample } from '../fixtures/samples.ts'
import { studio } from '../harness/studio.ts'
import { listing } from './archive/listing.ts'
import { rawZip } from './archive/raw-zip.ts'
import { rawTar } from './archive/tar.ts'
import { film, moving, packets, sounding, told } from './films.ts'

t.setTimeout(20 * 60_000)
const { convert, failure, folder, ...rest } = await studio({ subtitle: true, font: true })
t.teardown(() => rest[Symbol.asyncDispose]())
const human = /^(?!.*[/\\])(?!.*(ffmpeg|bsdtar|7zz|undefined|Error))[A-Z].{10,}$/

t.test('archives: by bsdtar, and by programs that unpack into a folder', async (t) => {
  const made = async (source: Buffer | string, pair: string) => {
    const engines: string[] = []
    const { bytes } = await convert(source, pair, {}, { onRun: ({ engine }) => engines.push(engine) })
    return { engines, listed: await listing(bytes, pair.slice(pair.indexOf('>') + 1)) }
  }
  const files = { 'a.txt': 'file 644 text' }
  const zip = rawZip([{ name: 'a.txt', content: 'text' }])
  t.same(await made(zip, 'zip>tar.gz'), { engines: ['archive'], listed: files })
  t.same(await made(rawTar([{ name: 'a.txt', content: 'text' }]), 'tar>zip'), { engines: ['archive'], listed: files })
  await writeFile(join(folder, 'a.txt'), 'text')
  for (const [format, ...call] of [
    ['arj', 'arj', 'a', '-y'],
    ['7z', '7zz', 'a', '-bso0', '-m0=Deflate64'],
  ] as const) {
    await program('env', '-C', folder, ...call, `b.${format}`, 'a.txt')
    t.match(await made(await readFile(join(folder, `b.${format}`)), `${format}>tar`), { listed: { 'a.txt': /text$/ } })
  }
  const { code, message } = await failure(zip.subarray(0, 38), 'zip>tar')
  t.equal(code, 'CONVERSION_ERROR')
  t.match(message, human)
})

t.test('sounds: a cover as a tag, speech read and written, loudness, and progress', async (t) => {
  const coverOf = (path: string) => ffmpeg('-i', path, '-map', '0:v', '-c', 'copy', '-f', 'image2pipe', '-')
  const { path: mp3 } = await sample('mp3')
  t.ok((await coverOf((await convert(mp3, 'mp3>ogg')).path)).equals(await coverOf(mp3)), 'every byte of the cover')
  const wav = await film(folder, 'wav', ...sounding(3))
  const { path: amr, bytes } = await convert(wav, 'wav>amr')
  t.equal(bytes.length, 6 + 150 * 32, 'frames of 20 ms in the best mode')
  const back = await told((await convert(amr, 'amr>wav')).path)
  t.match(back, { sound: { codec_name: 'pcm_s16le', sample_rate: '8000', channels: 1 } })
  t.ok(Math.abs(back.seconds - 3) < 0.1, `${back.seconds} s`)
  const { path, progress } = await convert(wav, 'wav>flac', { normalize: true })
  t.ok(
    progress.every((value, at) => value > 0 && value <= 1 && value >= (progress[at - 1] ?? 0)),
    `${progress}`,
  )
  const graph = `amovie=${path},ebur128=metadata=1`
  const entry = ['-show_entries', 'frame_tags=lavfi.r128.I', '-of', 'csv=p=0']
  const level = Number(
    `${await program('ffprobe', '-v', 'error', '-f', 'lavfi', '-i', graph, ...entry)}`.trim().split('\n').at(-1),
  )
  t.ok(Math.abs(level + 16) <= 0.5, `${level} LUFS`)
})

t.test('films: copied, encoded and refused', async (t) => {
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
  const source = await film(folder, 'mp4', ...moving(), ...sounding(), ...h264)
  const { path } = await convert(source, 'mp4>mkv')
  for (const stream of ['v', 'a']) t.equal(await packets(path, stream), await packets(source, stream), stream)
  const made = await told((await convert(source, 'mp4>avi')).path)
  t.match(made, { picture: { codec_name: 'mpeg4', width: 160, height: 120 }, sound: { codec_name: 'mp3' } })
  t.ok(Math.abs(made.seconds - 1) < 0.1, `${made.seconds} s`)
  const list = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'
  const { code, message } = await failure(Buffer.from(list), 'ts>mkv')
  t.equal(code, 'CONVERSION_ERROR', 'a playlist under another name')
  t.match(message, human)
})

t.test('subtitles, in any character set', async (t) => {
  const cue = '1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Größe</i> – Ω\r\n'
  const { bytes } = await convert(Buffer.from(`\ufeff${cue}`, 'utf16le'), 'srt>vtt')
  t.match(bytes.toString(), /^WEBVTT\n\n(00:)?00:01.000 --> (00:)?00:02.500\n<i>Größe<\/i> – Ω\n/)
  const back = (await convert((await convert(Buffer.from(cue), 'srt>ass')).bytes, 'ass>srt')).bytes.toString()
  t.match(back, /^1\n00:00:01,000 --> 00:00:02,500\n<i>Größe<\/i> – Ω\n/, 'without markup that nobody wrote')
})

t.test('fonts', async (t) => {
  const serif = '/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf'
  const described = async (path: string) =>
    (await program('fc-scan', '-f', '%{family}|%{style}|%{weight}|%{slant}|%{charset}', path)).toString()
  const { path, bytes } = await convert(serif, 'ttf>woff2')
  t.equal(bytes.toString('latin1', 0, 4), 'wOF2')
  t.equal(await described((await convert(path, 'woff2>ttf')).path), await described(serif))
  const half = (await readFile(serif)).subarray(0, 100_000)
  const message = 'The font is damaged, or uses features that cannot be converted'
  t.same(await failure(half, 'ttf>woff'), { code: 'CONVERSION_ERROR', message })
})

t.test('records', async (t) => {
  // Not beside tap, which changes how the library of YAML writes.
  const { bytes } = await convert(Buffer.from('[{"day":"2020-01-02","sum":1e5}]'), 'json>yaml')
  t.equal(bytes.toString(), '- day: "2020-01-02"\n  sum: 1e5\n', 'readers of YAML 1.1 take the day for text')
})
