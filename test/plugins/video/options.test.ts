/** Each video option, measured by ffprobe in the result. */
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { moving, sounding, studio } from '../audio/studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, packets, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const targets = ['mp4', 'mkv', 'webm', 'mov', 'avi', 'wmv', 'flv', 'mpg', 'ts', 'm2ts', '3gp', '3g2', 'ogv', 'mxf']

/** A source that no target can copy, with noise that is hard to compress. */
const noisy = ['-vf', 'noise=alls=20:allf=t', '-c:v', 'mjpeg', '-q:v', 2, '-pix_fmt', 'yuvj444p', '-c:a', 'pcm_s16le']
const source = await film('mkv', ...moving('320x180', 2), ...sounding(2), ...noisy)

/** Returns the bit rate of the video stream in kbit/s. */
async function rateOf(path: string): Promise<number> {
  const what = ['-select_streams', 'v:0', '-show_entries', 'packet=size', '-of', 'csv=p=0']
  const sizes = (await program('ffprobe', '-v', 'error', ...what, path)).toString().split('\n').map(Number.parseFloat)
  return (sizes.filter(Boolean).reduce((sum, size) => sum + size, 0) * 8) / 2000
}

async function framesOf(path: string): Promise<number> {
  const what = ['-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0']
  return Number.parseInt((await program('ffprobe', '-v', 'error', ...what, path)).toString(), 10)
}

t.test('crf and bitrate, on the scale of every codec', async (t) => {
  for (const to of targets.filter((to) => to !== 'mkv')) {
    const sizes: number[] = []
    for (const crf of [10, 23, 40]) sizes.push(await rateOf((await convert(source, to, { crf })).path))
    t.ok(sizes[0]! > sizes[1]! && sizes[1]! > sizes[2]!, `${to}: ${sizes.map(Math.round)} kbit/s`)
  }
  for (const to of ['mp4', 'webm', 'ogv', 'ts', 'm2ts', '3gp', 'flv', 'mov'])
    for (const bitrate of [300, 900]) {
      const rate = await rateOf((await convert(source, to, { bitrate })).path)
      t.ok(rate > bitrate * 0.6 && rate < bitrate * 1.4, `${to}: ${Math.round(rate)} of ${bitrate} kbit/s`)
    }
  for (const to of ['avi', 'wmv', 'mpg', 'mxf']) {
    const rates = [await rateOf((await convert(source, to, { bitrate: 1500 })).path)]
    rates.push(await rateOf((await convert(source, to, { bitrate: 6000 })).path))
    t.ok(rates[0]! < rates[1]! && rates[0]! < 3000, `${to}: ${rates.map(Math.round)} kbit/s`)
  }
  const { picture } = await convert(source, 'mp4', { crf: 0 })
  t.equal(picture.profile, 'High', 'lossless H.264 plays almost nowhere')
})

t.test('resolution', async (t) => {
  const cases: [string, '720p' | '1080p', number[]][] = [
    ['1600x900', '720p', [1280, 720]],
    ['900x1600', '720p', [720, 1280]],
    ['2560x1080', '1080p', [1920, 810]],
    ['2000x2000', '720p', [720, 720]],
    ['321x241', '720p', [320, 240]],
  ]
  for (const [size, resolution, expected] of cases) {
    const large = await film(
      'mkv',
      ...moving(size, 0.2),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv444p',
    )
    const { picture } = await convert(large, 'mp4', { resolution })
    t.same([picture.width, picture.height], expected, `${size} in ${resolution}`)
  }
  const wide = await film('mp4', ...moving('1600x900', 0.2), '-pix_fmt', 'yuv420p', '-preset', 'ultrafast')
  for (const to of targets.filter((to) => to !== 'mp4')) {
    const { picture } = await convert(wide, to, { resolution: '720p' })
    t.same([picture.width, picture.height], to.startsWith('3g') ? [640, 360] : [1280, 720], to)
  }
  const small = await film('mp4', ...moving('320x180'), '-pix_fmt', 'yuv420p')
  t.equal(await packets((await convert(small, 'mkv', { resolution: '1080p' })).path, 'v'), await packets(small, 'v'))
})

t.test('framerate is exact; frames have equal times if the target supports no others', async (t) => {
  for (const to of targets)
    for (const framerate of [24, 30].slice(0, to === 'mkv' ? 0 : 2)) {
      const made = await convert(source, to, { framerate })
      const frames = await framesOf(made.path)
      // For repeated frames, Theora stores only the time.
      const least = to === 'ogv' ? 48 : framerate * 2 - 1
      t.ok(frames >= least && frames <= framerate * 2 + 1, `${to}: ${frames} frames at ${framerate}`)
      if (to === 'ogv') t.equal(made.picture.r_frame_rate, `${framerate}/1`)
    }
  const odd = await film('mkv', ...moving('160x120', 2, '17/1'), '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
  t.equal((await convert(odd, 'mpg')).picture.r_frame_rate, '24000/1001')
  t.equal((await convert(odd, 'avi')).picture.r_frame_rate, '17/1')
})

t.test('all frames of a moving picture are kept', async (t) => {
  for (const to of targets.filter((to) => to !== 'mkv')) {
    const { path } = await convert(source, to)
    const frames = await framesOf(path)
    t.ok(frames >= 48 && frames <= 52, `${to}: ${frames} of 50`)
  }
})

t.test('audio: its rate, and removal', async (t) => {
  for (const to of ['mp4', 'mkv', 'webm', 'mov', 'avi', 'wmv', 'flv', 'mpg', 'ts', 'm2ts', '3gp', 'ogv'].filter(
    (to) => to !== 'mkv',
  )) {
    const [small, large] = [
      await convert(source, to, { audioBitrate: 64 }),
      await convert(source, to, { audioBitrate: 256 }),
    ]
    const [few, many] = [await sizeOf(small.path), await sizeOf(large.path)]
    t.ok(few < many, `${to}: ${few} and ${many} bytes`)
    if (['avi', 'mpg', 'm2ts'].includes(to)) t.ok(Math.abs(few / 16_000 - 1) < 0.1, `${to}: ${few} bytes in 2 s`)
  }
  for (const to of targets.filter((to) => to !== 'mkv')) {
    const { streams } = await convert(source, to, { stripAudio: true })
    t.notOk(
      streams.some(({ codec_type }) => codec_type === 'audio'),
      to,
    )
  }
  const plain = await film('mp4', ...moving(), ...sounding(), '-pix_fmt', 'yuv420p')
  const silent = await convert(plain, 'mov', { stripAudio: true })
  t.equal(silent.streams.length, 1)
  t.equal(await packets(silent.path, 'v'), await packets(plain, 'v'), 'the pictures are still copied')
})

t.test('codec', async (t) => {
  const hevc = await film(
    'mp4',
    ...moving(),
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-x265-params',
    'log-level=none',
  )
  t.equal((await convert(hevc, 'mkv')).picture.codec_name, 'hevc')
  t.equal((await convert(hevc, 'mov')).picture.codec_tag_string, 'hvc1')
  for (const to of ['mkv', 'mov', 'ts', 'm2ts', 'flv', '3gp', '3g2'])
    t.equal((await convert(hevc, to, { codec: 'h264' })).picture.codec_name, 'h264', to)
  for (const to of ['avi', 'wmv', 'mpg', 'webm', 'ogv', 'mxf'])
    await t.rejects(convert(hevc, to, { codec: 'h264' }), { code: 'INVALID_OPTIONS' }, to)
  await t.rejects(convert(hevc, 'mkv', { crf: 20, bitrate: 500 }), { code: 'INVALID_OPTIONS' })
})

async function sizeOf(path: string): Promise<number> {
  const what = ['-select_streams', 'a:0', '-show_entries', 'packet=size', '-of', 'csv=p=0']
  const sizes = (await program('ffprobe', '-v', 'error', ...what, path)).toString().split('\n').map(Number.parseFloat)
  return sizes.filter(Boolean).reduce((sum, size) => sum + size, 0)
}
