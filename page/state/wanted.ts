import type { Format } from '../../client/client.ts'

/** What people want from a kind of file. */
interface Wanted {
  /** Chosen without a question: the result neither loses nor grows, or the source is of little use as it is. */
  chosen?: string
  /** Asked for, most wanted first. `SAME` is the format of the source, made smaller. */
  asked?: readonly string[]
  /** Offered in the list of all targets, after those. */
  more?: readonly string[]
}

/** As a target, the format of the source: the file is made smaller. */
export const SAME = 'same'

/** By format, else by category. For formats without an entry, the service's first suggestion is chosen. */
const WANTED: Readonly<Record<string, Wanted>> = {
  jpg: { asked: [SAME, 'webp', 'pdf', 'png'] },
  png: { asked: ['jpg', 'webp', 'pdf', SAME] },
  webp: { asked: ['jpg', 'png', 'pdf', SAME] },
  avif: { asked: ['jpg', 'png', 'webp', 'pdf'] },
  gif: { asked: ['mp4', 'webp', SAME, 'png'] },
  svg: { asked: ['png', 'pdf', 'jpg', SAME] },
  bmp: { chosen: 'png' },
  tif: { asked: ['pdf', 'png', 'jpg', SAME] },
  heic: { chosen: 'jpg' },
  pdf: { asked: ['docx', 'ocr.pdf', 'jpg', SAME], more: ['txt', 'pdfa.pdf'] },
  docx: { more: ['pdf', SAME, 'txt', 'pdfa.pdf', 'odt', 'html'] },
  csv: { chosen: 'xlsx' },
  mp4: { asked: [SAME, 'gif', 'mp3', 'webm'] },
  video: { chosen: 'mp4' },
  mp3: { asked: [SAME, 'm4a', 'wav', 'ogg'] },
  audio: { asked: ['mp3', 'm4a', 'wav', 'flac'] },
  epub: { asked: ['pdf', 'azw3', 'docx', 'txt'] },
  ebook: { chosen: 'epub' },
  stl: { asked: ['3mf', 'obj', 'glb', 'png'] },
}

/** Returns the format that is meant by a target, which can be `SAME`. */
export const formatOf = (target: string, source: string): string => (target === SAME ? source : target)

const wantedFrom = (source: string, category: string | undefined): Wanted =>
  WANTED[source] ?? WANTED[category ?? ''] ?? {}

type Formats = ReadonlyMap<string, Pick<Format, 'category' | 'targets'>>

/** Returns what to ask for a format of a source: at most four possible targets. Empty: nothing is asked. */
export function askedTargets(formats: Formats, source: string): readonly string[] {
  const { category, targets = [] } = formats.get(source) ?? {}
  const { asked = [] } = wantedFrom(source, category)
  return asked.filter((to) => targets.includes(formatOf(to, source)))
}

/** Maximum number of targets that are offered before all others. */
const MAX_WANTED = 6

/** Returns the targets that are offered before all others, most wanted first. The source itself is `SAME`. */
export function wantedTargets(formats: Formats, source: string, suggestions: readonly string[]): readonly string[] {
  const { category } = formats.get(source) ?? {}
  const { chosen, asked = [], more = [] } = wantedFrom(source, category)
  const suggested = suggestions.map((to) => (to === source ? SAME : to))
  return [...new Set([...(chosen ? [chosen] : []), ...asked, ...more, ...suggested])].slice(0, MAX_WANTED)
}

/** Returns the target that is chosen without a question; undefined: the user must choose. */
export function silentTarget(formats: Formats, source: string, suggestions: readonly string[]): string | undefined {
  const { category, targets = [] } = formats.get(source) ?? {}
  const { chosen } = wantedFrom(source, category)
  if (chosen && targets.includes(chosen)) return chosen
  return askedTargets(formats, source).length ? undefined : suggestions[0]
}
