import { writeFile } from 'node:fs/promises'
import { ffmpeg } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { specimen } from '../saved.ts'

type Args = readonly (string | number)[]

/** Frequencies in hertz by channel, from 0.4 s for 1.2 s of 2 s. */
const hertz = [440, 660]
const beeps = hertz.map((one) => `0.5*sin(2*PI*${one}*t)*between(t\\,0.4\\,1.6)`).join('|')

/** Tags by MediaInfo's names. */
const tags = {
  Performer: 'Ada Ångström',
  Album: 'Töne',
  Genre: 'Test',
  Track_Position: '3',
  Recorded_Date: '2021',
}
const title = 'Klang Ω 音'
const metadata = Object.entries({
  title,
  artist: tags.Performer,
  album: tags.Album,
  genre: tags.Genre,
  track: '3',
  date: '2021',
}).flatMap(([name, text]) => ['-metadata', `${name}=${text}`])
const chapters = ['Anfang', 'Ende'].map((name, start) => ({ start, name }))
const points = chapters.map(
  ({ start, name }) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 1}\ntitle=${name}\n`,
)

/** What every sound keeps, and more. */
const heard = (sampling = 44_100, more: object = {}) => ({
  sound: { hertz, level: -9 },
  sampling,
  ...more,
})
const tagged = { title, tags }

const source = (rate: number) => ['-f', 'lavfi', '-i', `aevalsrc=${beeps}:s=${rate}:d=2`]

/** By ffmpeg. */
const sounding = (name: string, args: Args, truth: { sampling: number }) =>
  specimen(name, (output) => ffmpeg(...source(truth.sampling), ...args, output), truth)

/** By ffmpeg, with chapters. */
const book = specimen(
  'book.m4b',
  async (output, scratch) => {
    await writeFile(`${scratch}/in.meta`, `;FFMETADATA1\n${points.join('')}`)
    const chapters = ['-i', `${scratch}/in.meta`, '-map_chapters', 1]
    await ffmpeg(...source(44_100), ...chapters, '-c:a', 'aac', '-f', 'ipod', '-brand', 'M4B ', ...metadata, output)
  },
  heard(44_100, { ...tagged, chapters }),
)

/** Specimens of sounds. */
export const sounds: readonly Specimen[] = [
  sounding('tagged.mp3', ['-c:a', 'libmp3lame', '-b:a', '128k', ...metadata], heard(44_100, tagged)),
  sounding('plain.wav', ['-c:a', 'pcm_s16le', ...metadata], heard(44_100, tagged)),
  sounding('deep.wav', ['-c:a', 'pcm_s24le'], heard(96_000, { depth: 24 })),
  sounding('tagged.flac', ['-c:a', 'flac', ...metadata], heard(44_100, tagged)),
  sounding(
    'deep.flac',
    ['-c:a', 'flac', '-sample_fmt', 's32', '-bits_per_raw_sample', 24],
    heard(96_000, { depth: 24 }),
  ),
  sounding('tagged.m4a', ['-c:a', 'aac', '-b:a', '128k', ...metadata], heard(44_100, tagged)),
  sounding('vorbis.ogg', ['-c:a', 'libvorbis', ...metadata], heard(44_100, tagged)),
  book,
]
