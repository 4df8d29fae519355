import { program } from '../../fixtures/program.ts'
import type { Feature, Subject } from '../family.ts'
import { tracksOf } from '../played.ts'
import { allNear, equal, lacks, near } from './compare.ts'

/** Targets without sound. */
export const pictures = ['gif']
/** Films that hold texts beside picture and sound. */
const rich = ['mp4', 'mov', 'mkv', 'webm']
/** Targets without a picture. */
export const heard = ['mp3', 'wav', 'flac', 'm4a']
/** Targets that are films. */
export const films = [...rich, 'avi', 'wmv', 'flv', 'mpg', 'ts', 'm2ts', '3gp', '3g2', 'ogv', 'mxf']

/** What is kept by some targets, and by others not. Sounds have none of it. */
export const among =
  (kept: readonly string[], others?: 'dropped') =>
  (_: string, to: string): 'kept' | 'dropped' | undefined =>
    kept.includes(to) ? 'kept' : heard.includes(to) ? undefined : others

/** Languages of the sounds, in their order. */
export const languages: Feature<readonly string[]> = {
  name: 'languages',
  rule: among([...rich, 'ts'], 'dropped'),
  documented: 'all sounds with their languages',
  read: async (subject) => {
    const found = (await tracksOf(subject, 'Audio')).map(({ Language = '' }) => String(Language))
    return found.length > 1 ? found : undefined
  },
  differs: equal,
}

type Chapters = readonly { start: number; name: string }[]

/** Chapters: their names, and their starts in seconds. */
export const chapters: Feature<Chapters> = {
  name: 'chapters',
  rule: (_, to) =>
    ['gif', ...heard.filter((format) => format !== 'm4a')].includes(to)
      ? undefined
      : [...rich, 'm4a', 'm4b'].includes(to)
        ? 'kept'
        : 'dropped',
  documented: 'chapters, subtitles',
  read: async (subject) => {
    const [menu] = await tracksOf(subject, 'Menu')
    const found = Object.entries((menu?.extra ?? {}) as Record<string, string>).flatMap(([key, name]) => {
      const [, hours, minutes, seconds, millis] = /^_(\d\d)_(\d\d)_(\d\d)_?(\d{3})$/.exec(key) ?? []
      const start = Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${millis}`)
      return hours ? [{ start, name: name.replace(/^\w*:/, '') }] : []
    })
    return found.length > 0 ? found : undefined
  },
  differs: (wanted, got = []) => {
    const more = got.length > wanted.length ? `${got.length} chapters` : undefined
    return more ?? lacks(wanted, got, (one, other) => one.name === other.name && near(one.start, other.start, 0.05))
  },
}

type Subtitles = readonly { language: string; text: readonly string[]; starts: readonly number[] }[]

async function cuesOf({ path }: Subject, index: number) {
  const printed = await program('ffmpeg', '-v', 'error', '-i', path, '-map', `0:s:${index}`, '-f', 'srt', '-')
  const blocks = printed.toString().replace(/\r/g, '').trim().split(/\n\n+/)
  const cues = blocks.map((cue) => cue.split('\n'))
  const plain = (text: string) => text.replace(/<[^>]*>|\{[^}]*\}/g, '').trim()
  const seconds = (time: string) =>
    time.split(/[:,]/).reduce((sum, part, at) => sum + Number(part) / [1 / 3600, 1 / 60, 1, 1000][at]!, 0)
  return {
    text: cues.map(([, , ...lines]) => plain(lines.join(' '))),
    starts: cues.map(([, times = '']) => seconds(times.slice(0, 12))),
  }
}

/** Words and starts of subtitles that are text. */
export const subtitles: Feature<Subtitles> = {
  name: 'subtitles',
  rule: among(rich, 'dropped'),
  documented: 'chapters, subtitles',
  read: async (subject) => {
    const tracks = await tracksOf(subject, 'Text')
    const found = tracks.map(async ({ Language = '' }, at) => ({
      language: String(Language),
      ...(await cuesOf(subject, at)),
    }))
    return tracks.length > 0 ? Promise.all(found) : undefined
  },
  differs: (wanted, got = []) => {
    const same = wanted.every(({ language, text, starts }, at) => {
      const { language: other, text: said, starts: begin } = got[at] ?? {}
      return other === language && `${said}` === `${text}` && allNear(starts, begin, () => 0.05)
    })
    return same ? undefined : `subtitles are ${JSON.stringify(got)}`
  },
}
