/** Covers, in every way in which formats store them. */
import t from 'tap'
import { ffmpeg } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { moving, sounding, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

/** Returns the bytes of the cover. */
const coverOf = (path: string) => ffmpeg('-i', path, '-map', '0:v', '-c', 'copy', '-f', 'image2pipe', '-')

t.test('the same picture, in streams, tags and attachments', async (t) => {
  const { path: mp3 } = await sample('mp3')
  const before = await coverOf(mp3)
  for (const to of ['m4a', 'm4b', 'flac', 'aiff', 'ogg', 'opus', 'mka']) {
    const made = await convert(mp3, to)
    const stills = made.streams.filter(({ disposition }) => disposition.attached_pic)
    t.equal(stills.length, 1, to)
    t.ok((await coverOf(made.path)).equals(before), `${to}: every byte`)
    const values = Object.values(made.tags)
    t.ok(values.includes('Klang Ω 音'), `${to}: the title beside it`)
    if (['ogg', 'opus', 'mka'].includes(to))
      t.ok((await coverOf((await convert(made.path, 'mp3')).path)).equals(before), `${to}: and back`)
  }
  for (const to of ['wav', 'aac', 'wma', 'caf', 'weba'])
    t.equal((await convert(mp3, to)).streams.length, 1, `${to} has no place for it`)
})

t.test('a large cover, and one in another format', async (t) => {
  for (const [kind, codec] of [
    ['png', ['-c:v', 'png']],
    ['jpg', ['-c:v', 'mjpeg', '-q:v', 2]],
  ] as const) {
    const noise = ['-f', 'lavfi', '-i', 'color=gray:s=900x900:r=1:d=1', '-vf', 'noise=alls=100', '-frames:v', 1]
    const picture = await film(kind, ...noise, ...codec)
    const streams = ['-map', 0, '-map', 1, '-c:v', 'copy', '-disposition:v', 'attached_pic']
    const source = await film('flac', ...sounding(), '-i', picture, ...streams)
    const before = await coverOf(source)
    t.ok(before.length > 200_000, `${before.length} bytes`)
    for (const to of ['ogg', 'opus', 'mka'])
      t.ok((await coverOf((await convert(source, to)).path)).equals(before), `${kind} in ${to}`)
  }
})

t.test('the frames of a video are no cover', async (t) => {
  const source = await film('mp4', ...moving(), ...sounding(), '-pix_fmt', 'yuv420p')
  for (const to of ['mp3', 'ogg', 'mka']) t.equal((await convert(source, to)).streams.length, 1, to)
})
