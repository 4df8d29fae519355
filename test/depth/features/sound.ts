import sharp from 'sharp'
import { program } from '../../fixtures/program.ts'
import type { Feature } from '../family.ts'
import { pitch, play, tracksOf } from '../played.ts'
import { isSource } from '../sight.ts'
import { chapters } from './film-texts.ts'
import { sound, title } from './heard.ts'

const untagged = ['aac', 'ac3', 'mp2', 'amr', 'au']
const near = (wanted: number, got: number, slack: number) => Math.abs(wanted - got) <= slack

/** Seconds. Encoders fill their last frame, which is long in speech. */
const duration: Feature<number> = {
  name: 'duration',
  rule: () => 'kept',
  read: async (subject) => {
    const { channels } = await play(subject)
    return channels[0] ? channels[0].length / pitch : undefined
  },
  differs: (wanted, got = 0) =>
    near(wanted, got, 0.12) ? undefined : `${got.toFixed(2)} s instead of ${wanted.toFixed(2)}`,
}

/** Samples a second. MP3 has at most 48,000. */
const sampling: Feature<number> = {
  name: 'sampling',
  rule: (_, to) => (['mp3', 'wav', 'flac', 'm4a'].includes(to) ? 'kept' : undefined),
  read: async (subject) => {
    const [track] = isSource(subject) ? [] : await tracksOf(subject, 'Audio')
    return track && Number(track.SamplingRate)
  },
  differs: (wanted, got, { format }) => {
    const most = format === 'mp3' ? Math.min(wanted, 48_000) : wanted
    return got === most ? undefined : `${got} Hz instead of ${most}`
  },
}

/** Bits of a sample, if more than 16. */
const depth: Feature<number> = {
  name: 'depth',
  rule: (_, to) => (['wav', 'flac', 'wv', 'tta', 'aiff', 'caf', 'au', 'mka'].includes(to) ? 'kept' : 'dropped'),
  documented: 'More than 16 bits stay',
  read: async (subject) => {
    const [track] = isSource(subject) ? [] : await tracksOf(subject, 'Audio')
    return track && Number(track.BitDepth)
  },
  differs: (wanted, got) => (got === wanted ? undefined : `${got} bits instead of ${wanted}`),
}

const names = ['Performer', 'Album', 'Genre', 'Track_Position', 'Recorded_Date']

/** Who made it, and where it belongs. */
const tags: Feature<Readonly<Record<string, string>>> = {
  name: 'tags',
  rule: (_, to) => (untagged.includes(to) ? 'dropped' : 'kept'),
  documented: 'cannot hold tags',
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const [file = {}] = await tracksOf(subject, 'General')
    const own = names.filter((name) => file[name] !== undefined)
    return Object.fromEntries(own.map((name) => [name, String(file[name])]))
  },
  differs: (wanted, got = {}, { format }) => {
    // WAV does not tell its character set, and its track number is not shown by MediaInfo.
    const own = Object.keys(wanted).filter((name) => format !== 'wav' || name === 'Genre' || name === 'Recorded_Date')
    const lost = own.filter((name) => got[name] !== wanted[name])
    return lost.length > 0
      ? lost.map((name) => `${name} is ${got[name]} instead of ${wanted[name]}`).join(', ')
      : undefined
  },
}

/** The cover: a red square. */
const cover: Feature<{ width: number; height: number }> = {
  name: 'cover',
  rule: (_, to) => (['mp3', 'flac', 'm4a', 'm4b', 'ogg', 'opus', 'aiff', 'mka'].includes(to) ? 'kept' : 'dropped'),
  documented: 'a cover in MP3',
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const printed = await program('mediainfo', '--Output=JSON', '--Cover_Data=base64', subject.path)
    const data =
      JSON.parse(printed.toString()).media?.track?.[0]?.extra?.Cover_Data ??
      JSON.parse(printed.toString()).media?.track?.[0]?.Cover_Data
    if (!data) return undefined
    const { width, height } = await sharp(Buffer.from(data, 'base64')).metadata()
    return { width, height }
  },
  differs: (wanted, got) =>
    got?.width === wanted.width && got.height === wanted.height ? undefined : `the cover is ${JSON.stringify(got)}`,
}

/** Features of sounds. */
export const soundFeatures: readonly Feature[] = [...[duration, sound, sampling, depth, title, tags, cover, chapters]]
