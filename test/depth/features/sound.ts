import type { Feature } from '../family.ts'
import { tracksOf } from '../played.ts'
import { isSource } from '../sight.ts'
import { among, equal, instead } from './compare.ts'
import { chapters } from './film-texts.ts'
import { sound, title } from './heard.ts'

const untagged = ['aac', 'ac3', 'mp2', 'amr', 'au']

/** Samples a second. MP3 has at most 48,000. */
const sampling: Feature<number> = {
  name: 'sampling',
  rule: among(['mp3', 'wav', 'flac', 'm4a']),
  read: async (subject) => {
    const [track] = isSource(subject) ? [] : await tracksOf(subject, 'Audio')
    return track && Number(track.SamplingRate)
  },
  differs: (wanted, got, { format }) => equal(format === 'mp3' ? Math.min(wanted, 48_000) : wanted, got),
}

/** Bits of a sample, if more than 16. */
const depth: Feature<number> = {
  name: 'depth',
  rule: among(['wav', 'flac', 'wv', 'tta', 'aiff', 'caf', 'au', 'mka'], 'dropped'),
  documented: 'More than 16 bits stay',
  read: async (subject) => {
    const [track] = isSource(subject) ? [] : await tracksOf(subject, 'Audio')
    return track && Number(track.BitDepth)
  },
  differs: equal,
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
    return lost[0] && `${lost[0]}: ${instead(wanted[lost[0]], got[lost[0]])}`
  },
}

/** Features of sounds. Their duration is compared by the matrix. */
export const soundFeatures: readonly Feature[] = [sound, sampling, depth, title, tags, chapters]
