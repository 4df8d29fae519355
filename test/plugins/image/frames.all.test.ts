/**
 * Animations by every writer to every target: how long each frame stays, how often they play, and what is transparent.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import type { Subject } from '../../depth/family.ts'
import { frames } from '../../depth/features/moving.ts'
import { see } from '../../depth/sight.ts'
import { ffmpeg, magick, program } from '../../fixtures/program.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(60 * 60_000)
const { convert, folder, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const width = 48
const height = 40
const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00']
const first = [255, 0, 0]
const seconds = [0.1, 0.25, 0.07, 0.4]
const plays = 3
const stills = await Promise.all(
  colours.map(async (background, index) => {
    const path = join(folder, `${index}.png`)
    const middle = { create: { width: width / 2, height: height / 2, channels: 4 as const, background } }
    const clear = { create: { width, height, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } } }
    await sharp(clear)
      .composite([{ input: middle }])
      .png()
      .toFile(path)
    return path
  }),
)

/** By the Python Imaging Library. */
const byPillow = (format: string, loop: number) => async (output: string) =>
  program(
    '/usr/bin/python3',
    '-c',
    `import sys
from PIL import Image
first, *others = [Image.open(name) for name in sys.argv[2:]]
first.save(sys.argv[1], format="${format}", save_all=True, append_images=others,
  duration=${JSON.stringify(seconds.map((time) => Math.round(time * 1000)))}, loop=${loop}, disposal=2, lossless=True)`,
    output,
    ...stills,
  )

const moving = join(folder, 'moving.apng')
await byPillow('PNG', plays)(moving)

/** Animations by format, each with four frames: the middle is coloured, the rest is transparent. */
const animations: Readonly<Record<string, (output: string) => Promise<unknown>>> = {
  // GIF counts how often it is repeated.
  gif: byPillow('GIF', plays - 1),
  webp: byPillow('WEBP', plays),
  apng: byPillow('PNG', plays),
  avif: async (output) => {
    const split = '[0:v]settb=1/1000,split[a][b];[a]format=yuv444p[c];[b]alphaextract,format=gray[d]'
    const tracks = ['-map', '[c]', '-map', '[d]', '-c:v', 'libaom-av1', '-cpu-used', 8, '-crf', 10]
    const last = ['-bsf:v', 'setts=duration=if(eq(N\\,3)\\,0.4/TB\\,DURATION)', '-enc_time_base', -1]
    const shown = ['-fps_mode', 'passthrough', ...last]
    await ffmpeg('-f', 'apng', '-i', moving, '-filter_complex', split, ...tracks, ...shown, output)
  },
  mng: async (output) => {
    const shown = stills.flatMap((still, index) => ['-delay', Math.round(seconds[index]! * 100), still])
    await magick('-dispose', 'Background', ...shown, '-loop', plays, `MNG:${output}`)
  },
  jxl: async (output) => program('cjxl', moving, output, '-d', 0, '-e', 3),
}

/** How often an animation is played; 0 for endless. */
function playsOf(bytes: Buffer, format: string): number {
  if (format === 'webp') return bytes.readUInt16LE(bytes.indexOf('ANIM') + 12)
  if (format === 'apng') return bytes.readUInt32BE(bytes.indexOf('acTL') + 8)
  const at = bytes.indexOf('NETSCAPE2.0')
  const repeats = at < 0 ? 0 : bytes.readUInt16LE(at + 13)
  return at < 0 ? 1 : repeats && repeats + 1
}

/** The alpha of the pixel at the top left of an AVIF sequence, whose second track it is. */
async function hidden(path: string) {
  const grey = ['-filter_complex', '[0:v:1]format=gray', '-frames:v', 1, '-f', 'rawvideo', '-']
  return (await ffmpeg('-f', 'mov', '-i', path, ...grey))[0]!
}

const films = ['mp4', 'webm']
const counted = ['gif', 'webp', 'apng']
/** Sources whose formats, or the programs that read them, do not tell how often they play. */
const endless = ['avif', 'jxl', 'mng']

for (const [from, make] of Object.entries(animations)) {
  const targets = ['gif', 'webp', 'apng', 'avif', ...(from === 'gif' ? films : [])]
  const source = join(folder, `source.${from}`)
  await make(source)
  for (const to of targets.filter((target) => target !== from))
    t.test(`${from} to ${to}`, async (t) => {
      const { path, paged } = await convert(source, `${from}>${to}`)
      const specimen = { name: `it.${from}`, from, maker: 'test', features: [], make: async () => {} }
      const subject: Subject = { path, format: to, paged, converted: true, specimen }
      const times = (await frames.read(subject)) ?? []
      t.notOk(frames.differs(seconds, times, subject, subject), `times ${times}`)
      if (counted.includes(to)) t.equal(playsOf(await readFile(path), to), endless.includes(from) ? 0 : plays, 'plays')
      const { data, width: across } = await see(subject)
      const at = (x: number, y: number) => [...data.subarray((y * across + x) * 4, (y * across + x) * 4 + 4)]
      const corner = at(2, 2)
      const middle = at(24, 20)
      if (films.includes(to)) t.ok(Math.min(...corner) > 245, `white behind: ${corner}`)
      else t.ok((to === 'avif' ? await hidden(path) : corner[3]!) < 5, `transparent: ${corner}`)
      const isNear = first.every((level, channel) => Math.abs(level - middle[channel]!) < 16)
      t.ok(isNear, `first frame: ${middle}`)
    })
}
