import { writeFile } from 'node:fs/promises'
import { ffmpeg, program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { specimen } from '../saved.ts'

type Args = readonly (string | number)[]

/** Arguments of a command line. */
const flags = (text: string): Args => text.split(' ')
const h264 = flags('-c:v libx264 -crf 16 -preset veryfast -pix_fmt yuv420p')
const h265 = flags('-c:v libx265 -crf 20 -preset veryfast -pix_fmt yuv420p -x265-params log-level=error -tag:v hvc1')
const aac = flags('-c:a aac -b:a 128k')

const width = 160
const height = 120
/** Seconds that every film lasts, and when the flash and the beep begin. Both last 0.2 s. */
const seconds = 2.4
const flash = 1
/** Frames a second. */
const rate = 25

/** Colours of the quarters of the picture: above, then below, from left to right. */
const quarters = [
  [0xc0, 0x30, 0x30],
  [0x30, 0xa0, 0x40],
  [0x30, 0x40, 0xc0],
  [0xc0, 0xc0, 0x30],
] as const

/** Frequencies in hertz of the beep by channel. */
const tones = [440, 660]

/** 8 × 6 points of the picture before the flash, as red, green and blue. `order` lists the quarters. */
const grid = (order: readonly number[]) =>
  Array.from({ length: 48 }, (_, at) => quarters[order[(at >= 24 ? 2 : 0) + (at % 8 >= 4 ? 1 : 0)]!]!).flat()

const boxes = quarters.map(([red, green, blue], at) => {
  const colour = Buffer.from([red, green, blue]).toString('hex')
  return `drawbox=${(at % 2) * (width / 2)}:${(at >> 1) * (height / 2)}:${width / 2}:${height / 2}:0x${colour}:fill`
})
const light = `drawbox=color=white:t=fill:enable='between(t,${flash - 0.01},${flash + 0.19})'`
const picture = [`color=s=${width}x${height}:r=${rate}:d=${seconds}`, 'format=rgb24', ...boxes, light].join(',')

const soundOf = (octave: number) => {
  const beep = (hertz: number) => `0.5*sin(2*PI*${hertz * octave}*t)*between(t\\,${flash}\\,${flash + 0.2})`
  return `aevalsrc=${tones.map(beep).join('|')}:s=48000:d=${seconds}`
}
/** The picture as input 0, the sound as 1, and the same an octave higher as 2. */
const inputs = [picture, soundOf(1), soundOf(2)].flatMap((source) => ['-f', 'lavfi', '-i', source])

/** What every film shows. */
const shown = {
  size: { width, height },
  look: grid([0, 1, 2, 3]),
  rate: { mean: rate, max: rate },
  sync: { flash, beep: flash },
  sound: { hertz: tones, level: -9 },
}

const film = (output: string, args: Args) => ffmpeg(...inputs, '-map', 0, '-map', 1, ...args, '-shortest', output)
const filmed = (name: string, args: Args, more: object = {}) =>
  specimen(name, (output) => film(output, args), { ...shown, ...more })

const titled = { title: 'Blitz Ω 音' }
const title = ['-metadata', `title=${titled.title}`]
const cues = '1\n00:00:00,200 --> 00:00:00,900\nFirst línea\n\n2\n00:00:01,000 --> 00:00:02,000\nSecond <i>line</i>\n\n'
const points =
  ';FFMETADATA1\n' +
  ['Anfang', 'Blitz']
    .map((name, at) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${at * 1000}\nEND=${at ? 2400 : 1000}\ntitle=${name}\n`)
    .join('')
const told = {
  subtitles: [{ language: 'en', text: ['First línea', 'Second line'], starts: [0.2, 1] }],
  chapters: ['Anfang', 'Blitz'].map((name, start) => ({ start, name })),
}

/** With chapters and subtitles. */
const described = (name: string): Specimen =>
  specimen(
    name,
    async (output, scratch) => {
      await film(`${scratch}/in.mp4`, [...h264, ...aac])
      await writeFile(`${scratch}/in.srt`, cues)
      await writeFile(`${scratch}/in.meta`, points)
      const parts = flags('-map 0 -map 1 -map_chapters 2 -c copy -c:s mov_text -metadata:s:s:0 language=eng')
      await ffmpeg(...['in.mp4', 'in.srt', 'in.meta'].flatMap((file) => ['-i', `${scratch}/${file}`]), ...parts, output)
    },
    { ...shown, ...told },
  )

/** Stored on its side. ffmpeg counts the degrees against the clock. */
const portrait = specimen(
  'portrait.mp4',
  async (output, scratch) => {
    await film(`${scratch}/in.mp4`, [...h264, ...aac])
    await ffmpeg('-i', `${scratch}/in.mp4`, '-c', 'copy', '-metadata:s:v:0', 'rotate=270', output)
  },
  { ...shown, size: { width: height, height: width }, look: grid([2, 0, 3, 1]) },
)

/** By mkvmerge, with chapters, subtitles and a title. */
const merged = specimen(
  'merged.mkv',
  async (output, scratch) => {
    await film(`${scratch}/in.mp4`, [...h264, ...aac])
    await writeFile(`${scratch}/in.srt`, cues)
    const names = ['Anfang', 'Blitz'].map(
      (name, at) => `CHAPTER0${at + 1}=00:00:0${at}.000\nCHAPTER0${at + 1}NAME=${name}\n`,
    )
    await writeFile(`${scratch}/in.txt`, names.join(''))
    const about = ['--title', titled.title, '--chapters', `${scratch}/in.txt`]
    await program(
      'mkvmerge',
      '-q',
      ...about,
      '-o',
      output,
      `${scratch}/in.mp4`,
      '--language',
      '0:eng',
      `${scratch}/in.srt`,
    )
  },
  { ...shown, ...told, ...titled },
)

const second = ['-map', 2, '-metadata:s:a:0', 'language=deu', '-metadata:s:a:1', 'language=fra']

/** Specimens of films. */
export const films: readonly Specimen[] = [
  portrait,
  filmed('languages.mp4', [...second, ...h265, ...aac], { languages: ['de', 'fr'] }),
  described('described.mp4'),
  described('described.mov'),
  merged,
  filmed('vp8.webm', [...flags('-c:v libvpx -crf 8 -b:v 2M -cpu-used 8 -c:a libvorbis'), ...title], titled),
  filmed('raw.avi', flags('-c:v rawvideo -pix_fmt bgr24 -c:a pcm_s16le')),
]
