/** Other parts of a video file: cover, location, chapters, tags. */
import t from 'tap'
import { made } from '../../fixtures/cache.ts'
import { magick, program } from '../../fixtures/program.ts'
import { sample } from '../../fixtures/samples.ts'
import { moving, sounding, studio } from '../audio/studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']

t.test('the location, as phones write it', async (t) => {
  const place = '+48.1000+011.5000+500.000/'
  const keys = ['-metadata', `com.apple.quicktime.location.ISO6709=${place}`, '-movflags', 'use_metadata_tags']
  const phone = await film('mov', ...moving(), ...sounding(), ...h264, ...keys)
  const { path, tags } = await convert(phone, 'mp4')
  t.match(tags.location, /^\+48\.1000\+011\.5000/)
  const told = JSON.parse((await program('exiftool', '-json', '-n', path)).toString())[0]
  t.ok(Math.abs(told.GPSLatitude - 48.1) < 0.001 && Math.abs(told.GPSLongitude - 11.5) < 0.001, 'ExifTool reads it')
})

t.test('the cover', async (t) => {
  const { path: cover } = await sample('jpg')
  const source = await film(
    'mp4',
    ...moving(),
    ...sounding(),
    '-i',
    cover,
    ...['-map', 0, '-map', 1, '-map', 2],
    ...[...['-c:v:0', 'libx264', '-pix_fmt:v:0', 'yuv420p', '-c:v:1', 'copy', '-disposition:v:1', 'attached_pic']],
  )
  const films = (streams: Record<string, any>[]) => streams.filter(({ codec_type }) => codec_type === 'video')
  for (const options of [{ crf: 30 }, { stripAudio: true }, {}]) {
    const [first, second, ...others] = films((await convert(source, 'mp4', options)).streams)
    t.match([first, second], [{ codec_name: 'h264' }, { codec_name: 'mjpeg', disposition: { attached_pic: 1 } }])
    t.equal(others.length, 0)
  }
  for (const to of ['avi', 'webm', 'ts', 'mov', 'mpg'])
    t.equal(films((await convert(source, to)).streams).length, 1, to)
})

t.test('frames of a GIF that last unequally long', async (t) => {
  const source = await made('unequal.gif', (output) =>
    magick(
      '-size',
      '40x30',
      '-delay',
      10,
      'xc:red',
      '-delay',
      50,
      'xc:lime',
      '-delay',
      100,
      'xc:blue',
      `GIF:${output}`,
    ),
  )
  const { path } = await convert(source, 'mp4')
  const told = await program(
    'ffmpeg',
    '-v',
    'error',
    '-i',
    path,
    '-vf',
    'scale=1:1,format=rgb24',
    '-f',
    'rawvideo',
    '-',
  )
  const strongest = Array.from({ length: told.length / 3 }, (_, at) => {
    const colour = [...told.subarray(3 * at, 3 * at + 3)]
    return colour.indexOf(Math.max(...colour))
  })
  t.strictSame(
    [0, 1, 2].map((channel) => strongest.filter((one) => one === channel).length),
    [5, 25, 50],
    'at 50 frames a second',
  )
})
