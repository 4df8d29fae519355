import type { Feature } from '../family.ts'
import { beepOf, hertzOf, levelOf, pitch, play, tracksOf } from '../played.ts'
import { allNear, equal, instead, near } from './compare.ts'

interface Sound {
  /** Strongest frequency in hertz of each channel after the first sound begins; none of found files. */
  hertz?: readonly number[]
  /** Level in dB of the first channel there. */
  level?: number
  /** Level in dB of each whole channel. */
  levels?: readonly number[]
}

/** Most channels of a target; 8 for others. */
const max: Readonly<Record<string, number>> = {
  ...Object.fromEntries('mp3 avi wmv flv mpg 3gp 3g2 m4b m4r mp2 wma spx'.split(' ').map((format) => [format, 2])),
  amr: 1,
}

/** Channels of the first sound: what each has, and how loud it is. */
export const sound: Feature<Sound> = {
  name: 'sound',
  rule: (_, to) => (to === 'gif' || to === 'png' ? undefined : 'kept'),
  read: async (subject) => {
    const shown = await play(subject)
    const { channels } = shown
    if (channels.length === 0) return undefined
    const levels = channels.map(levelOf)
    if (subject.specimen.real) return { levels }
    const at = (beepOf(shown) ?? 0) + 0.02
    const part = channels[0]!.subarray(Math.round(at * pitch), Math.round((at + 0.14) * pitch))
    return { levels, hertz: channels.map((samples) => hertzOf(samples, at)), level: levelOf(part) }
  },
  differs: (wanted, got, { format }) => {
    const count = Math.min((wanted.hertz ?? wanted.levels)!.length, max[format] ?? 8)
    if (got?.levels?.length !== count) return `${got?.levels?.length ?? 0} channels instead of ${count}`
    const isMixed = (wanted.hertz ?? wanted.levels)!.length !== count
    if (isMixed) return got.levels.every((level) => level > -50) ? undefined : 'a channel is silent'
    if (wanted.hertz) {
      if (!allNear(wanted.hertz, got.hertz, () => 12)) return instead(wanted.hertz, got.hertz, ' Hz')
      return near(wanted.level!, got.level, 1.5) ? undefined : instead(wanted.level, got.level, ' dB')
    }
    // Encoders cut the high notes of the channel for low ones, the fourth of six.
    const low = count === 6 ? 3 : -1
    const drift = wanted.levels!.findIndex(
      (level, at) => at !== low && Math.max(level, got.levels![at]!) > -50 && !near(level, got.levels![at]!, 3),
    )
    return drift < 0 ? undefined : instead(wanted.levels![drift], got.levels[drift], ` dB in channel ${drift}`)
  },
}

const untagged = ['aac', 'ac3', 'mp2', 'amr', 'au', 'ts', 'm2ts', 'mpg', 'mxf']

/** Formats that store text in UTF-8 without telling so. */
const silent = ['avi', 'wav']

/** Phones write titles that ffmpeg does not read. */
const phones = ['3gp', '3g2']

/** The title in the tags. */
export const title: Feature<string> = {
  name: 'title',
  rule: (from, to) => (to === 'gif' ? undefined : untagged.includes(to) || phones.includes(from) ? 'dropped' : 'kept'),
  documented: 'cannot hold tags',
  read: async (subject) => {
    const [file] = await tracksOf(subject, 'General')
    const found = file?.Title ?? file?.Track
    return found === undefined ? undefined : String(found)
  },
  differs: (wanted, got, { format }) => {
    // These do not tell their character set.
    const letters = (text = '') => (silent.includes(format) ? text.replace(/[^ -~]/g, '') : text)
    return equal(letters(wanted), letters(got))
  },
}
