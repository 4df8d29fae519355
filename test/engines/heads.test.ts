import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { demuxers } from '../../engines/ffmpeg/demuxers.ts'
import { headOf } from '../../engines/ffmpeg/heads/heads.ts'
import { entries, type Media, readMedia } from '../../engines/ffmpeg/media.ts'
import { lookAt } from '../../kernel/detection/source.ts'
import { ffmpeg, program } from '../fixtures/program.ts'
import { folderOf } from '../harness/folder.ts'

const folder = await folderOf(t)

const picture = (rate = '25') => ['-f', 'lavfi', '-i', `testsrc2=s=322x182:r=${rate}:d=4`]
const tone = ['-f', 'lavfi', '-i', 'sine=440:r=48000:d=4']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const aac = ['-c:a', 'aac']
const film = [...picture(), ...tone, ...h264, ...aac]

async function made(name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name)
  await ffmpeg(...args, path)
  return path
}

const formatOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const read = (path: string) => lookAt(path, headOf(formatOf(path))!)

/** What ffprobe tells. Durations may differ by an encoder's priming. */
async function probed(path: string): Promise<Media> {
  const demuxer = demuxers[formatOf(path)]![0]!
  const told = await program('ffprobe', '-v', 'fatal', '-of', 'json=compact=1', '-f', demuxer, ...entries, path)
  return readMedia(demuxer, told.toString().split('\n'))
}

const rounded = (media: Media) =>
  JSON.parse(JSON.stringify(media, (key, value) => (key === 'seconds' ? Math.round(value * 5) / 5 : value)))

t.test('plain files are described by their headers as ffprobe describes them', async (t) => {
  const plain: Readonly<Record<string, string[]>> = {
    'mono.wav': tone,
    'stereo.wav': [...tone, '-ac', '2', '-metadata', 'title=T'],
    'deep.wav': [...tone, '-c:a', 'pcm_s24le'],
    'film.mp4': film,
    'silent.mp4': [...picture('30000/1001'), ...h264, '-movflags', '+faststart'],
    'baseline.mp4': [...picture('50'), ...h264, '-profile:v', 'baseline'],
    'full-range.mp4': [...picture(), '-c:v', 'libx264', '-pix_fmt', 'yuvj420p'],
    'languages.mp4': [
      ...[...picture(), ...tone, ...tone, '-map', '0', '-map', '1', '-map', '2', ...h264, ...aac],
      ...['-metadata:s:a:1', 'language=deu', '-metadata', 'title=T'],
    ],
    'sound.m4a': [...tone, ...aac, '-ac', '2', '-ar', '44100'],
  }
  for (const [name, args] of Object.entries(plain)) {
    const path = await made(name, ...args)
    const media = await read(path)
    t.ok(media, `${name} is plain`)
    t.same(media && rounded(media), rounded(await probed(path)), name)
  }
})

t.test('files with anything unusual are left to ffprobe', async (t) => {
  const unusual: Readonly<Record<string, string[]>> = {
    'float.wav': [...tone, '-c:a', 'pcm_f32le'],
    'law.wav': [...tone, '-c:a', 'pcm_alaw'],
    'deep.mp4': [...picture(), '-c:v', 'libx264', '-pix_fmt', 'yuv420p10le'],
    'hdr.mp4': [...picture(), ...h264, '-color_trc', 'smpte2084'],
    'interlaced.mp4': [...picture(), ...h264, '-s', '320x240', '-flags', '+ildct+ilme'],
    'wide.mp4': [...picture(), ...h264, '-vf', 'setsar=4/3'],
    'fragments.mp4': [...picture(), ...h264, '-movflags', 'frag_keyframe+empty_moov'],
    'other.mp4': [...picture(), ...tone, ...h264, '-c:a', 'libmp3lame'],
    'slow.m4a': [...tone, ...aac, '-ar', '22050'],
  }
  for (const [name, args] of Object.entries(unusual)) t.equal(await read(await made(name, ...args)), undefined, name)

  const [source, subtitles, cover] = [join(folder, 'film.mp4'), join(folder, 's.srt'), join(folder, 'c.jpg')]
  await writeFile(subtitles, '1\n00:00:01,000 --> 00:00:02,000\nHi\n')
  await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=64x64', '-frames:v', '1', cover)
  const changed: Readonly<Record<string, string[]>> = {
    'turned.mp4': ['-i', source, '-c', 'copy', '-metadata:s:v:0', 'rotate=90'],
    'cut.mp4': ['-ss', '1.3', '-i', source, '-c', 'copy'],
    'subtitled.mp4': ['-i', source, '-i', subtitles, '-c', 'copy', '-c:s', 'mov_text'],
    'cover.mp4': [
      ...['-i', source, '-i', cover, '-map', '0', '-map', '1', '-c', 'copy', '-disposition:v:1', 'attached_pic'],
    ],
    'locked.mp4': [
      ...['-i', source, '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr'],
      ...['-encryption_key', '00112233445566778899aabbccddeeff', '-encryption_kid', '00112233445566778899aabbccddeeff'],
    ],
    'place.mp4': [
      ...['-i', source, '-c', 'copy', '-movflags', 'use_metadata_tags'],
      ...['-metadata', 'com.apple.quicktime.location.ISO6709=+10.0+020.0/'],
    ],
  }
  for (const [name, args] of Object.entries(changed)) t.equal(await read(await made(name, ...args)), undefined, name)

  const spdif = join(folder, 'raw.spdif')
  await ffmpeg(...tone, '-ac', '2', '-c:a', 'ac3', '-f', 'spdif', spdif)
  const disguised = await made('disguised.wav', '-f', 's16le', '-ar', '48000', '-ac', '2', '-i', spdif)
  t.equal(await read(disguised), undefined, 'compressed audio in a WAV')
  const dts = join(folder, 'raw.dts')
  await ffmpeg(...tone, '-ac', '2', '-c:a', 'dca', '-strict', '-2', dts)
  const late = join(folder, 'late.dts')
  await writeFile(late, Buffer.concat([Buffer.alloc(70_000), await readFile(dts)]))
  const behind = await made('behind.wav', '-f', 's16le', '-ar', '48000', '-ac', '2', '-i', late)
  t.equal((await probed(behind)).sounds[0]?.codec, 'dts')
  t.equal(await read(behind), undefined, 'compressed audio behind silence')
  const tagged = await made('tagged.wav', ...tone)
  await appendFile(tagged, 'id3 \u0004\0\0\0abcd')
  t.equal(await read(tagged), undefined, 'a tag that may hold a picture')
})

/** A copy of a film with other bytes in every box of a kind, from an offset in its content. */
async function patched(name: string, kind: string, at: number, bytes: string): Promise<string> {
  const content = await readFile(join(folder, 'film.mp4'))
  for (let box = content.indexOf(kind); box >= 0; box = content.indexOf(kind, box + 1))
    content.write(bytes, box + 4 + at, 'hex')
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

t.test('a film whose movie is turned as a whole is left to ffprobe', async (t) => {
  const matrix = '000000000001000000000000ffff00000000000000000000000000000000000040000000'
  const path = await patched('turned-whole.mp4', 'mvhd', 36, matrix)
  t.equal((await probed(path)).video?.turned, true)
  t.equal(await read(path), undefined)
})

t.test('a language that is not specified is left out', async (t) => {
  const path = await patched('unspecified.mp4', 'mdhd', 20, '7fff')
  const media = await read(path)
  t.ok(media)
  t.notOk(media?.sounds.some((sound) => 'language' in sound))
  t.same(media && rounded(media), rounded(await probed(path)))
})

t.test('files that are not whole are left to ffprobe', async (t) => {
  for (const name of ['mono.wav', 'film.mp4', 'silent.mp4']) {
    const path = join(folder, `cut-${name}`)
    await writeFile(path, await readFile(join(folder, name)))
    await truncate(path, 60_000)
    t.equal(await read(path), undefined, name)
  }
})
