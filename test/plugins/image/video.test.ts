import sharp from 'sharp'
import t from 'tap'
import { animations } from '../../../plugins/image/video.ts'
import { ffmpeg } from '../../fixtures/program.ts'
import { commandLines } from '../../harness/command-lines.ts'
import { bare } from '../bare.ts'
import { colourAt, near, sizeOf } from './pictures.ts'

const { convert, failure, folder } = await bare(t, ['image'])

/** A video of two seconds, red and then blue. */
async function film(name: string, ...codec: (string | number)[]): Promise<string> {
  const scenes = ['red', 'blue'].flatMap((colour) => ['-f', 'lavfi', '-i', `color=${colour}:s=320x180:r=25:d=1`])
  await ffmpeg(...scenes, '-filter_complex', '[0][1]concat=n=2', ...codec, `${folder}/${name}`)
  return `${folder}/${name}`
}

t.test('videos become animated gifs', async (t) => {
  const mp4 = await film('film.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast')
  const { bytes } = await convert(mp4, 'mp4>gif')
  const { loop, delay = [], pages = 1 } = await sharp(bytes, { animated: true }).metadata()
  t.same([...(await sizeOf(bytes)), loop], [320, 180, 0])
  const duration = delay.reduce((sum, part) => sum + part, 0)
  t.ok(Math.abs(duration - 2000) < 200, `${duration} ms`)
  t.equal(delay.length, 24, '12 frames a second')
  t.ok(near(await colourAt(bytes, 100, 100, 0), [255, 0, 0], 20), 'red first')
  t.ok(near(await colourAt(bytes, 100, 100, pages - 1), [0, 0, 255], 20), 'blue last')
  const small = (await convert(mp4, 'mp4>gif', { maxWidth: 100, maxHeight: 100, fit: 'outside' })).bytes
  t.ok([0, 49].includes(small[12]!), 'square pixels')
  t.same(await sizeOf(small), [178, 100])
  const single = await convert(await film('one.mp4', '-r', 1000, '-frames:v', 1, '-pix_fmt', 'yuv420p'), 'mp4>gif')
  t.ok(near(await colourAt(single.bytes, 100, 100), [255, 0, 0], 20), 'a film of one millisecond')
  const broken = await failure(Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n'), 'mp4>gif')
  t.equal(broken.code, 'CONVERSION_ERROR')
})

t.test('a transparent WebM becomes a transparent GIF', async (t) => {
  const webm = `${folder}/clear.webm`
  await ffmpeg('-f', 'lavfi', '-i', 'color=red@0:s=32x32:d=1,format=yuva420p', '-c:v', 'libvpx-vp9', webm)
  t.equal(
    (
      await sharp((await convert(webm, 'webm>gif')).bytes)
        .ensureAlpha()
        .raw()
        .toBuffer()
    )[3],
    0,
  )
})

t.test('filters by size and fit', async (t) => {
  const stream = { index: 0, codec_type: 'video', codec_name: 'h264', width: 320, height: 180 }
  const ffprobe = JSON.stringify({ streams: [stream], format: { duration: '2' } })
  const bound = (width: string | number, height: string | number, aspect: string) =>
    `scale=w=min(iw\\,${width}):h=min(ih\\,${height}):force_original_aspect_ratio=${aspect}`
  const square = { maxWidth: 100, maxHeight: 100 }
  const cases: readonly [options: object, filters: string][] = [
    [{}, bound(640, 'ih', 'decrease')],
    [{ maxWidth: 160 }, bound(160, 'ih', 'decrease')],
    [{ maxHeight: 45 }, bound('iw', 45, 'decrease')],
    [{ maxHeight: 45, fit: 'cover' }, bound('iw', 45, 'decrease')],
    [{ ...square, fit: 'inside' }, bound(100, 100, 'decrease')],
    [{ ...square, fit: 'outside' }, bound(100, 100, 'increase')],
    [{ ...square, fit: 'fill' }, 'scale=100:100'],
    [{ ...square, fit: 'cover' }, 'scale=100:100:force_original_aspect_ratio=increase,crop=100:100'],
    [{ ...square, fit: 'contain' }, 'scale=100:100:force_original_aspect_ratio=decrease,pad=100:100:-1:-1:color=white'],
  ]
  const { steps } = animations as Extract<typeof animations, { steps: unknown }>
  for (const [options, filters] of cases) {
    const [, palette, picture] = await commandLines(steps, { from: 'mp4', to: 'gif', options }, { ffprobe })
    const frames = `[0:0]fps=12,scale=iw*max(1\\,sar):ih,setsar=1,${filters},setsar=1`
    t.equal(palette, `ffmpeg -f mov -i -lavfi ${frames},palettegen -frames:v 1 -f image2 -c:v png`)
    const paint = '[f];[f][1:v]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle -loop 0 -f gif'
    t.equal(picture, `ffmpeg -f mov -i -i /scratch/palette.png -lavfi ${frames}${paint}`)
  }
})
