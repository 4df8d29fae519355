/** The same streams in fewer bytes, never more; and which jobs are heavy. */
import { readFile, stat } from 'node:fs/promises'
import t from 'tap'
import video from '../../../plugins/video/index.ts'
import { moving, sounding, studio } from '../audio/studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, file, packets, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']

t.test('streams are not changed', async (t) => {
  const codecs = { mp4: h264, mov: h264, mkv: h264, webm: ['-c:v', 'libvpx', '-deadline', 'realtime'] }
  for (const [format, codec] of Object.entries(codecs)) {
    // Live recordings consist of many small fragments.
    const live = format === 'mp4' || format === 'mov' ? ['-movflags', 'frag_every_frame'] : ['-cluster_time_limit', 1]
    const source = await film(format, ...moving(), ...sounding(), ...codec, ...live)
    const made = await convert(source, format)
    const before = (await stat(source)).size
    t.ok(made.size <= before, `${format}: ${made.size} of ${before} bytes`)
    if (format !== 'webm') t.ok(made.size < before, `${format} is smaller`)
    for (const stream of ['v', 'a'])
      t.equal(await packets(made.path, stream), await packets(source, stream), `${format} ${stream}`)
    const again = await file(format, await readFile(made.path))
    t.ok((await convert(again, format)).size <= made.size, 'and never grows')
  }
})

t.test('options are kept', async (t) => {
  const source = await film('mp4', ...moving('1600x900', 0.4), ...sounding(0.4), ...h264)
  const { picture, sound } = await convert(source, 'mp4', { resolution: '720p', audioBitrate: 32 })
  t.same([picture.width, picture.height, sound.codec_name], [1280, 720, 'aac'])
  const silent = await convert(source, 'mp4', { stripAudio: true })
  t.equal(silent.streams.length, 1)
  t.equal(await packets(silent.path, 'v'), await packets(source, 'v'))
})

t.test('encoding waits in the heavy lane', async (t) => {
  const heavy = (from: string, to: string, options = {}) =>
    video.heavy({ from, to, intent: from === to ? 'transform' : 'convert', size: 1e6, options })
  t.ok(heavy('mkv', 'webm'))
  t.ok(heavy('gif', 'mp4'))
  t.ok(heavy('mp4', 'avi'))
  t.ok(heavy('mov', 'mp4', { crf: 20 }))
  t.ok(heavy('mp4', 'mp4', { resolution: '720p' }))
  t.notOk(heavy('mov', 'mp4'))
  t.notOk(heavy('mp4', 'mp4'))
  t.notOk(heavy('mp4', 'mp4', { stripAudio: true }))
})
