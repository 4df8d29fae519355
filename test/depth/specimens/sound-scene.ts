import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { ffmpeg, program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { formatOf, inFile } from '../saved.ts'

/** Arguments of a program. */
export type Args = readonly (string | number)[]

/** Frequencies in hertz by channel, from 0.4 s for 1.2 s of 2 s. */
const tones = [440, 660, 880, 110, 550, 770]
const beep = (hertz: number) => `0.5*sin(2*PI*${hertz}*t)*between(t\\,0.4\\,1.6)`

interface Scene {
  channels?: 1 | 2 | 6 | undefined
  /** Samples a second. Default 44,100. */
  rate?: number | undefined
  /** Level in dB; speech codecs lower a steady tone. Default -9. */
  level?: number
  /** Bits of a sample, if more than 16. */
  depth?: 24
  /** Whether it has title, other tags, cover and chapters. */
  tags?: boolean
  cover?: boolean
  chapters?: boolean
}

/** Tags by MediaInfo's names. */
export const told = {
  Performer: 'Ada Ångström',
  Album: 'Töne',
  Genre: 'Test',
  Track_Position: '3',
  Recorded_Date: '2021',
}
/** In the tags. */
export const title = 'Klang Ω 音'
const written = { title, artist: told.Performer, album: told.Album, genre: told.Genre, track: '3', date: '2021' }
const metadata = Object.entries(written).flatMap(([name, text]) => ['-metadata', `${name}=${text}`])
const chapters = ['Anfang', 'Ende'].map((name, start) => ({ start, name }))

async function coverIn(scratch: string): Promise<string> {
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#d02020' } })
  await picture.jpeg().toFile(`${scratch}/cover.jpg`)
  return `${scratch}/cover.jpg`
}

/** What a file must keep. */
function heard(scene: Scene): Pick<Specimen, 'features' | 'truth'> {
  const { channels = 2, rate = 44_100, level = -9, depth, tags, cover, chapters: parts } = scene
  const truth = {
    duration: 2,
    sound: { hertz: tones.slice(0, channels), level },
    sampling: rate,
    ...(depth && { depth }),
    ...(tags && { title, tags: told }),
    ...(cover && { cover: { width: 64, height: 64 } }),
    ...(parts && { chapters }),
  }
  return { features: Object.keys(truth), truth }
}

/** By ffmpeg. */
export function sounding(name: string, args: Args, scene: Scene = {}): Specimen {
  const { channels = 2, rate = 44_100 } = scene
  const layout = channels === 6 ? ':c=5.1' : ''
  const source = `aevalsrc=${tones.slice(0, channels).map(beep).join('|')}:s=${rate}:d=2${layout}`
  return {
    name,
    from: formatOf(name),
    maker: 'FFmpeg',
    ...heard(scene),
    make: async (output, scratch) => {
      const inputs: string[] = ['-f', 'lavfi', '-i', source]
      const extra: (string | number)[] = ['-map', 0]
      if (scene.cover) {
        inputs.push('-i', await coverIn(scratch))
        extra.push('-map', 1, '-c:v', 'copy', '-disposition:v', 'attached_pic')
      }
      if (scene.chapters) {
        const points = chapters.map(
          ({ start, name }) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 1}\ntitle=${name}\n`,
        )
        await writeFile(`${scratch}/in.meta`, `;FFMETADATA1\n${points.join('')}`)
        inputs.push('-i', `${scratch}/in.meta`)
        extra.push('-map_chapters', scene.cover ? 2 : 1)
      }
      await ffmpeg(...inputs, ...extra, ...args, ...(scene.tags ? metadata : []), output)
    },
  }
}

/** By a program that reads a WAV. */
export function spoken(
  name: string,
  maker: string,
  call: (input: string, output: string, cover: string) => Args,
  scene: Scene = {},
): Specimen {
  const { channels, rate } = scene
  const wave = sounding('in.wav', ['-c:a', scene.depth ? 'pcm_s24le' : 'pcm_s16le'], { channels, rate })
  return {
    name,
    from: formatOf(name),
    maker,
    ...heard(scene),
    make: async (output, scratch) => {
      await wave.make(`${scratch}/in.wav`, scratch)
      const [tool, ...args] = call(`${scratch}/in.wav`, output, await coverIn(scratch)) as [string]
      await program(tool, ...args)
    },
  }
}

/** By SoX. */
export const bySox = (name: string, args: Args, scene: Scene = {}, effects: Args = []) =>
  spoken(name, 'SoX', (input, output) => ['sox', '-D', input, ...args, output, ...effects], scene)

/** Tags as Vorbis comments. */
export const comments = Object.entries({ ...written, tracknumber: '3', track: '' })
  .filter(([, text]) => text)
  .map(([name, text]) => [name.toUpperCase(), text] as const)

/** Monkey's Audio. */
export const ape = (name: string, rate: number) => inFile('sound', name, heard({ channels: 1, rate }).truth!)
