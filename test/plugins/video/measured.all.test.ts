/**
 * What the commands of the video plugin make, measured: sizes, rates, frames, colours, and streams that are only
 * copied.
 */
import t from 'tap'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { fromPam } from '../../matrix/pixels.ts'
import { frameTimes } from '../../matrix/video.ts'
import { bare } from '../bare.ts'
import { film, moving, sounding, told } from '../films.ts'

t.setTimeout(60 * 60_000)
const { convert, folder } = await bare(t, ['video'])

const formatOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const made = async (source: string, to: string, options = {}) =>
  (await convert(source, `${formatOf(source)}>${to}`, options)).path
const make = (format: string, ...args: (string | number)[]) => film(folder, format, ...args)
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
/** One for each encoder, and for containers with rules of their own. */
const targets = ['mp4', 'webm', 'avi', 'wmv', 'mpg', 'ogv', 'mxf', '3gp']

/** A source that no target can copy, with noise that is hard to compress. */
const noisy = ['-vf', 'noise=alls=20:allf=t', '-c:v', 'mjpeg', '-q:v', 2, '-pix_fmt', 'yuvj444p', '-c:a', 'pcm_s16le']
const source = await make('mkv', ...moving('320x180', 2), ...sounding(2), ...noisy)

/** The bit rate of two seconds of pictures in kbit/s. */
async function rateOf(path: string): Promise<number> {
  const what = ['-select_streams', 'v:0', '-show_entries', 'packet=size', '-of', 'csv=p=0']
  const sizes = (await program('ffprobe', '-v', 'error', ...what, path)).toString().split('\n').map(Number.parseFloat)
  return (8 * sizes.filter(Boolean).reduce((sum, size) => sum + size, 0)) / 2000
}

t.test('crf and bitrate, on the scale of every codec', async (t) => {
  for (const to of targets) {
    const [best, usual, least] = await Promise.all(
      [10, 23, 40].map(async (crf) => rateOf(await made(source, to, { crf }))),
    )
    t.ok(best! > usual! && usual! > least!, `${to}: ${best}, ${usual}, ${least} kbit/s`)
    // Older encoders cannot go below a rate that depends on the picture.
    const older = ['avi', 'wmv', 'mpg', 'mxf'].includes(to)
    const [low, high] = older ? [1500, 6000] : [300, 900]
    const [few, many] = await Promise.all(
      [low, high].map(async (bitrate) => rateOf(await made(source, to, { bitrate }))),
    )
    if (older) t.ok(few! < many! && few! < 2 * low, `${to}: ${few} and ${many} kbit/s`)
    else t.ok(few! < 1.4 * low && many! > 0.6 * high && many! < 1.4 * high, `${to}: ${few} and ${many} kbit/s`)
  }
  const { picture } = await told(await made(source, 'mp4', { crf: 0 }))
  t.equal(picture.profile, 'High', 'lossless H.264 plays almost nowhere')
})

t.test('frames: all of them, at the rate that is asked for', async (t) => {
  for (const to of targets)
    for (const framerate of [undefined, 30]) {
      const { length } = await frameTimes(await made(source, to, framerate ? { framerate } : {}))
      // For repeated frames, Theora stores only the time.
      const least = to === 'ogv' ? 48 : 2 * (framerate ?? 25) - 2
      t.ok(length >= least && length <= 2 * (framerate ?? 25) + 2, `${to}: ${length} frames at ${framerate}`)
    }
  const odd = await make('mkv', ...moving('160x120', 2, '17/1'), ...h264)
  t.equal((await told(await made(odd, 'mpg'))).picture.r_frame_rate, '24000/1001')
  t.equal((await told(await made(odd, 'avi'))).picture.r_frame_rate, '17/1')
})

/** The colour of a pixel of the first frame. */
async function pixel(path: string, x: number, y: number): Promise<number[]> {
  const args = ['-frames:v', 1, '-f', 'image2pipe', '-c:v', 'pam', '-pix_fmt', 'rgba', '-']
  const { width, data } = fromPam(await ffmpeg('-i', path, ...args))
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
}

t.test('rotated, odd, wide and HDR pictures are shown as they were', async (t) => {
  // Red left of blue, on its side: a quarter turn puts red on top.
  const halves = ['-f', 'lavfi', '-i', 'color=red:s=160x120:r=25:d=1,drawbox=x=80:w=80:h=120:c=blue:t=fill']
  const plain = await make('mp4', ...halves, ...h264)
  const turned = await make('mp4', '-i', plain, '-c', 'copy', '-metadata:s:v', 'rotate=270')
  const odd = await make('mkv', ...moving('161x121', 0.4), '-c:v', 'libx264', '-pix_fmt', 'yuv444p10le')
  const wide = await make('mkv', ...moving('160x120', 0.4), '-vf', 'setsar=2', '-c:v', 'ffv1')
  const tags = '-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv'.split(' ')
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none']
  const hdr = await make('mkv', ...moving('160x120', 0.4), ...x265, ...tags)
  for (const to of targets) {
    if (to !== 'mp4') {
      const path = await made(turned, to)
      const [r, g, b] = (await pixel(path, 60, 20)) as [number, number, number]
      t.ok(r > 200 && g < 60 && b < 60, `${to}: red on top`)
    }
    const { picture } = await told(await made(odd, to))
    t.same([picture.width, picture.height, picture.pix_fmt], [160, 120, 'yuv420p'], to)
    const stretched = (await told(await made(wide, to))).picture
    t.same([stretched.width, stretched.height], [320, 120], `${to}: square pixels`)
    const { color_transfer: transfer } = (await told(await made(hdr, to, { crf: 20 }))).picture
    t.not(transfer, 'smpte2084', `${to}: ${transfer}`)
  }
  t.equal((await told(await made(hdr, 'mp4'))).picture.color_transfer, 'smpte2084', 'copied where players show it')
})

t.test('uneven frame times, fields, and the last frame of an animation', async (t) => {
  const gaps = ['-vf', "select='lt(n,10)+gt(n,40)'", '-fps_mode', 'vfr', '-c:v', 'ffv1']
  const uneven = await make('mkv', ...moving('160x120', 2), ...gaps)
  for (const to of ['mp4', 'webm', 'wmv']) {
    const found = await frameTimes(await made(uneven, to))
    const gap = Math.max(...found.slice(1).map((time, index) => time - found[index]!))
    t.ok(found.length === 19 && Math.abs(gap - 1.28) < 0.05, `${to}: ${found.length} frames, a gap of ${gap} s`)
  }
  const fields = '-vf tinterlace=interleave_top,fieldorder=tff -flags +ildct+ilme -c:v mpeg2video -q:v 2'.split(' ')
  const { picture } = await told(await made(await make('mpg', ...moving('160x120', 1, 50), ...fields), 'mp4'))
  t.match(picture.field_order, /^(progressive|unknown)$/)
  t.ok(Number(picture.nb_frames) >= 23)
  const steps = [10, 50, 10, 200].flatMap((delay, n) => ['-delay', delay, `xc:rgb(${n * 80},99,${200 - n * 60})`])
  await magick('-size', '64x48', ...steps, `${folder}/steps.gif`)
  for (const to of ['mp4', 'webm', 'avi']) {
    const { seconds } = await told(await made(`${folder}/steps.gif`, to))
    t.ok(Math.abs(seconds - 2.7) < 0.11, `${to}: ${seconds} s`)
  }
  const single = await make('gif', ...moving('160x120', 0.1, 10), '-frames:v', 1)
  for (const to of ['mp4', 'avi', 'mpg']) t.equal((await told(await made(single, to))).picture.width, 160, to)
})

t.test('video and audio of different length, in a container that truncates', async (t) => {
  for (const [pictures, sounds] of [
    [0.6, 1.6],
    [1.6, 0.6],
  ] as const) {
    const uneven = ['-c:v', 'ffv1', '-c:a', 'pcm_s16le']
    const path = await made(await make('mkv', ...moving('160x120', pictures), ...sounding(sounds), ...uneven), 'mxf')
    t.ok(Math.abs((await told(path)).seconds - 1.6) < 0.1)
  }
})
