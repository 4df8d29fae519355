/** Copied and corrected streams: rotation, odd sizes, pixel aspect, interlacing, HDR, several audio tracks, subtitles. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { ffmpeg, magick } from '../../fixtures/program.ts'
import { fromPam } from '../../matrix/decode.ts'
import { frameTimes } from '../../matrix/video.ts'
import { moving, sounding, studio } from '../audio/studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, file, packets, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']

/** Returns a checksum of the decoded frames. */
const decoded = async (path: string) =>
  (await ffmpeg('-i', path, '-map', '0:v', '-fps_mode', 'passthrough', '-f', 'md5', '-')).toString().trim()

t.test('compatible streams are copied', async (t) => {
  const mp4 = await film('mp4', ...moving(), ...sounding(), ...h264)
  for (const to of ['mov', 'mkv', 'flv', '3gp', '3g2', 'ts', 'm2ts']) {
    const { path, picture } = await convert(mp4, to)
    t.equal(picture.codec_name, 'h264')
    // Transport streams frame the same pictures differently.
    if (to === 'ts' || to === 'm2ts') t.equal(await decoded(path), await decoded(mp4), `pictures to ${to}`)
    else t.equal(await packets(path, 'v'), await packets(mp4, 'v'), `pictures to ${to}`)
    if (!['m2ts', 'ts'].includes(to)) t.equal(await packets(path, 'a'), await packets(mp4, 'a'), `sound to ${to}`)
  }
  const webm = await film(
    'webm',
    ...moving(),
    ...sounding(),
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-c:a',
    'libvorbis',
  )
  const made = await convert(webm, 'mkv')
  t.same([made.picture.codec_name, made.sound.codec_name], ['vp8', 'vorbis'])
  t.same((await convert(webm, 'mp4')).picture.codec_name, 'h264')
  const both = await convert(await film('mkv', ...moving(), ...sounding(), ...h264, '-c:a', 'flac'), 'mov')
  t.same([both.picture.codec_name, both.sound.codec_name], ['h264', 'aac'], 'one copied, one encoded')
})

t.test('mp4 gets codecs that phones and browsers play', async (t) => {
  const codecsOf = async (extension: string, ...args: string[]) => {
    const { picture, streams, path } = await convert(await film(extension, ...moving(), ...sounding(), ...args), 'mp4')
    const sounds = streams.flatMap(({ codec_type, codec_name }) => (codec_type === 'audio' ? [codec_name] : []))
    const bytes = await readFile(path)
    t.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index is in front')
    return [picture.codec_name, picture.pix_fmt, ...sounds]
  }
  const plays = ['h264', 'yuv420p', 'aac']
  t.same(await codecsOf('avi', '-c:v', 'mpeg4', '-c:a', 'mp3'), plays, 'DivX with MP3')
  t.same(await codecsOf('mkv', ...h264, '-c:a', 'ac3'), plays, 'AC-3')
  t.same(await codecsOf('mkv', ...h264, '-c:a', 'libopus'), plays, 'Opus')
  t.same(await codecsOf('mkv', '-c:v', 'libx264', '-pix_fmt', 'yuv444p'), plays, 'colours at full size')
  const old = await film('mp4', ...moving(), ...sounding(), '-c:v', 'mpeg4', '-c:a', 'ac3')
  for (const wish of [{ stripAudio: true }, { audioBitrate: 64 }]) {
    const made = await convert(old, 'mp4', wish)
    t.equal(await packets(made.path, 'v'), await packets(old, 'v'), 'a file of its own keeps its pictures')
  }
})

t.test('the index comes first', async (t) => {
  for (const to of ['mp4', 'mov', '3gp']) {
    const bytes = await readFile((await convert(await film('mkv', ...moving(), ...h264), to)).path)
    t.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), to)
  }
})

/** Returns the colour of a pixel of the first frame. */
async function pixel(path: string, x: number, y: number, ...before: string[]): Promise<number[]> {
  const args = ['-frames:v', 1, '-f', 'image2pipe', '-c:v', 'pam', '-pix_fmt', 'rgba', '-']
  const { width, data } = fromPam(await ffmpeg(...before, '-i', path, ...args))
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
}
const isRed = ([r, g, b]: number[]) => r! > 200 && g! < 60 && b! < 60

t.test('rotated pictures become upright, by matrix or by pixels', async (t) => {
  // Red left of blue, on its side: a quarter turn puts red on top.
  const halves = ['-f', 'lavfi', '-i', 'color=red:s=160x120:r=25:d=1,drawbox=x=80:w=80:h=120:c=blue:t=fill']
  const flat = await film('mp4', ...halves, ...sounding(), ...h264)
  const turned = await film('mp4', '-i', flat, '-c', 'copy', '-metadata:s:v', 'rotate=270')
  t.ok(isRed(await pixel(turned, 60, 20)), 'the sample is turned')
  for (const to of ['mov', '3gp', 'mkv', 'webm', 'avi', 'ts', 'flv', 'wmv', 'mpg', 'ogv']) {
    const { path, picture } = await convert(turned, to)
    t.ok(isRed(await pixel(path, 60, 20)), `${to}: red on top`)
    const matrix = picture.side_data_list?.some(({ rotation }: { rotation?: number }) => rotation)
    t.equal(Boolean(matrix), to === 'mov' || to === '3gp', `${to} ${matrix ? 'has' : 'has no'} matrix`)
    if (!matrix) t.same([picture.width, picture.height], [120, 160], to)
  }
})

t.test('odd sizes, full chroma, wide pixels', async (t) => {
  const odd = await film('mkv', ...moving('161x121', 0.4), '-c:v', 'libx264', '-pix_fmt', 'yuv444p10le')
  const wide = await film('mkv', ...moving('160x120', 0.4), '-vf', 'setsar=2', '-c:v', 'ffv1')
  for (const to of ['mp4', 'webm', 'avi', 'wmv', 'flv', 'mpg', 'ts', 'm2ts', '3gp', '3g2', 'ogv', 'mxf', 'mov']) {
    const { picture } = await convert(odd, to)
    t.same([picture.width, picture.height, picture.pix_fmt], [160, 120, 'yuv420p'], to)
    const stretched = (await convert(wide, to)).picture
    t.same([stretched.width, stretched.height], [320, 120], `${to}: shown as it was`)
  }
})

t.test('variable frame times are kept if the target supports them', async (t) => {
  const uneven = await film(
    'mkv',
    ...moving('160x120', 2),
    '-vf',
    "select='lt(n,10)+gt(n,40)'",
    '-fps_mode',
    'vfr',
    '-c:v',
    'ffv1',
  )
  for (const to of ['mp4', 'webm', 'mov', 'ts', 'flv', 'wmv']) {
    const found = await frameTimes((await convert(uneven, to)).path)
    t.equal(found.length, 19, to)
    const gap = Math.max(...found.slice(1).map((time, index) => time - found[index]!))
    t.ok(Math.abs(gap - 1.28) < 0.05, `${to}: a gap of ${gap} s`)
  }
  for (const to of ['avi', 'mpg', 'mxf']) {
    const found = await frameTimes((await convert(uneven, to)).path)
    t.ok(Math.abs(found.length - 50) <= 2, `${to}: ${found.length} frames at even times`)
  }
})

t.test('interlaced fields become frames', async (t) => {
  const interlaced = await film(
    'mpg',
    ...moving('160x120', 1, 50),
    '-vf',
    'tinterlace=interleave_top,fieldorder=tff',
    '-flags',
    '+ildct+ilme',
    '-c:v',
    'mpeg2video',
    '-q:v',
    2,
  )
  const { picture } = await convert(interlaced, 'mp4')
  t.match(picture.field_order, /^(progressive|unknown)$/)
  t.ok(Number(picture.nb_frames) >= 23)
})

t.test('HDR pictures are tone mapped', async (t) => {
  const tags = [
    '-color_primaries',
    'bt2020',
    '-color_trc',
    'smpte2084',
    '-colorspace',
    'bt2020nc',
    '-color_range',
    'tv',
  ]
  const hdr = await film(
    'mkv',
    ...moving('160x120', 0.4),
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p10le',
    ...tags,
    '-x265-params',
    'log-level=none',
  )
  for (const to of ['avi', 'ts', 'flv', 'mpg', 'wmv']) {
    const { picture } = await convert(hdr, to)
    t.equal(picture.pix_fmt, 'yuv420p', to)
    t.not(picture.color_transfer, 'smpte2084', to)
  }
  const toned = await convert(hdr, 'mp4', { crf: 20 })
  t.equal(toned.picture.color_transfer, 'bt709')
  const kept = await convert(hdr, 'mp4')
  t.same([kept.picture.color_transfer, kept.picture.codec_name], ['smpte2084', 'hevc'], 'copied where players show it')
})

t.test('surround sound', async (t) => {
  const surround = await film('mkv', ...moving(), ...sounding(1, 6, 48_000), '-c:v', 'ffv1', '-c:a', 'pcm_s16le')
  for (const [to, channels, codec] of [
    ['mp4', 6, 'aac'],
    ['webm', 6, 'opus'],
    ['m2ts', 6, 'ac3'],
    ['avi', 2, 'mp3'],
    ['flv', 2, 'aac'],
    ['3gp', 2, 'aac'],
    ['wmv', 2, 'wmav2'],
    ['mpg', 2, 'mp2'],
    ['ogv', 6, 'vorbis'],
  ] as const) {
    const { sound } = await convert(surround, to)
    t.same([sound.channels, sound.codec_name], [channels, codec], to)
  }
  const side = await film('mkv', ...moving(), ...sounding(1, 6, 48_000), '-c:v', 'ffv1', '-c:a', 'ac3')
  t.equal((await convert(side, 'webm')).sound.channels, 6, 'with the speakers of AC-3')
})

t.test('several audio tracks, subtitles and titles', async (t) => {
  const lines = await file('srt', '1\n00:00:00,100 --> 00:00:00,900\nGrüße\n')
  const maps = ['-map', 0, '-map', 1, '-map', 2, '-map', 3, '-metadata', 'title=Ω']
  const many = await film(
    'mkv',
    ...moving(),
    ...sounding(),
    ...sounding(1, 1),
    '-i',
    lines,
    ...maps,
    ...h264,
    '-c:a',
    'aac',
  )
  for (const [to, sounds, subtitle] of [
    ['mp4', 2, 'mov_text'],
    ['mov', 2, 'mov_text'],
    ['webm', 2, 'webvtt'],
    ['ts', 2, undefined],
    ['avi', 1, undefined],
    ['flv', 1, undefined],
  ] as const) {
    const { streams, path } = await convert(many, to)
    t.equal(streams.filter(({ codec_type }) => codec_type === 'audio').length, sounds, to)
    const text = streams.find(({ codec_type }) => codec_type === 'subtitle')
    t.equal(text?.codec_name, subtitle, to)
    if (text) t.match((await ffmpeg('-i', path, '-map', '0:s:0', '-f', 'srt', '-')).toString(), /Grüße/, to)
  }
  t.equal((await convert(many, 'mp4')).tags.title, 'Ω')
  const back = await convert((await convert(many, 'mp4')).path, 'mkv')
  t.equal(back.streams.find(({ codec_type }) => codec_type === 'subtitle')?.codec_name, 'subrip')
})

t.test('animations and single pictures', async (t) => {
  const gif = await film('gif', ...moving('161x121', 1, 10))
  for (const to of ['mp4', 'webm', 'avi', 'mpg', 'mxf']) {
    const { seconds, picture } = await convert(gif, to)
    t.ok(Math.abs(seconds - 1) < 0.3, `${to}: ${seconds} s`)
    t.same([picture.width, picture.height], [160, 120])
  }
  const single = await film('gif', ...moving('160x120', 0.1, 10), '-frames:v', 1)
  for (const to of ['mp4', 'webm', 'avi', 'wmv', 'mpg']) t.ok((await convert(single, to)).picture.width, to)
})

t.test('the last frame of an animation keeps its duration', async (t) => {
  const folder = await file('txt', '')
  const gif = folder.replace(/txt$/, 'gif')
  const steps = [10, 50, 10, 200].flatMap((delay, n) => ['-delay', delay, `xc:rgb(${n * 80},99,${200 - n * 60})`])
  await magick('-size', '64x48', ...steps, gif)
  for (const to of ['mp4', 'mkv', 'webm', 'mov', 'avi', 'ts', 'wmv']) {
    const { seconds } = await convert(gif, to)
    t.ok(Math.abs(seconds - 2.7) < 0.11, `${to}: ${seconds} s`)
  }
})

t.test('video and audio of different length, in a container that truncates', async (t) => {
  const longer = await film('mkv', ...moving('160x120', 0.6), ...sounding(1.6), '-c:v', 'ffv1', '-c:a', 'pcm_s16le')
  t.ok(Math.abs((await convert(longer, 'mxf')).seconds - 1.6) < 0.1)
  const shorter = await film('mkv', ...moving('160x120', 1.6), ...sounding(0.6), '-c:v', 'ffv1', '-c:a', 'pcm_s16le')
  t.ok(Math.abs((await convert(shorter, 'mxf')).seconds - 1.6) < 0.1)
})
