import { readFile } from 'node:fs/promises'
import { ffmpeg, program } from '../../fixtures/program.ts'
import type { Feature, Subject } from '../family.ts'
import { isSource } from '../sight.ts'
import { equal, instead, lacks, near } from './compare.ts'

/** Seconds that each picture is shown: equal frames in a row count as one in a specimen, because encoders join them. */
async function times(subject: Subject): Promise<number[]> {
  const all = await durations(subject)
  if (!isSource(subject) || subject.format !== 'gif') return all
  const printed = await ffmpeg('-i', subject.path, '-vsync', 'passthrough', '-f', 'framemd5', '-')
  const hashes = printed.toString().match(/[0-9a-f]{32}$/gm) ?? []
  const joined: number[] = []
  for (const [at, time] of all.entries())
    if (at > 0 && hashes[at] === hashes[at - 1]) joined[joined.length - 1]! += time
    else joined.push(time)
  return joined
}

async function durations({ path, format }: Subject): Promise<number[]> {
  if (format === 'webp') return animationFrames(await readFile(path))
  if (format === 'png') return []
  const demuxer = format === 'apng' ? ['-f', 'apng'] : []
  const entries = ['-select_streams', 'v', '-show_entries', 'stream=index:packet=pts_time,duration_time,stream_index']
  const printed = await program('ffprobe', '-v', 'error', ...demuxer, ...entries, '-of', 'json', path)
  const { packets = [] } = JSON.parse(printed.toString()) as { packets?: Record<string, string>[] }
  // An AVIF sequence has its first picture as a stream of its own.
  const last = Math.max(...packets.map((packet) => Number(packet.stream_index)))
  return packets.filter((packet) => Number(packet.stream_index) === last).map((packet) => Number(packet.duration_time))
}

/** Durations in the ANMF chunks of a WebP. */
function animationFrames(bytes: Buffer): number[] {
  const found: number[] = []
  for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2))
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') found.push(bytes.readUIntLE(at + 8 + 12, 3) / 1000)
  return found
}

const films = ['mp4', 'webm', 'mov', 'mkv', 'avi']
const animations = ['gif', 'webp', 'apng', 'avif']

/** Seconds of each frame, if there are several. A film may repeat frames: it must last as long. */
export const frames: Feature<readonly number[]> = {
  name: 'frames',
  rule: (from, to) => {
    if (!animations.includes(from)) return undefined
    if ([...animations, ...films].includes(to)) return 'kept'
    return ['txt', 'docx', 'html', 'md', 'ocr.pdf'].includes(to) ? undefined : 'dropped'
  },
  documented: 'Other targets get the first frame',
  read: async (subject) => {
    if (![...animations, ...films].includes(subject.format)) return undefined
    const found = await times(subject)
    return found.length > 1 ? found : undefined
  },
  differs: (wanted, got, { format }) => {
    if (!got) return 'it does not move'
    const total = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0)
    if (films.includes(format))
      return near(total(wanted), total(got), 0.1) ? undefined : instead(total(wanted), total(got), ' s')
    return lacks(startsOf(wanted), startsOf(got), (start, other) => near(start, other, 0.015))
  },
}

/** When each frame begins, and when the last one ends, in seconds. */
const startsOf = (times: readonly number[]) => {
  let at = 0
  return [0, ...times.map((time) => (at += time))]
}

const paged = ['tif', 'dcx', 'djvu']

/** Number of pages, if there are several. */
export const pages: Feature<number> = {
  name: 'pages',
  rule: (from) => (paged.includes(from) ? 'kept' : undefined),
  read: async ({ path, format, paged: zipped }) => {
    const count = zipped
      ? (await program('unzip', '-Z1', path)).toString().trim().split('\n').length
      : await counted(path, format)
    return count > 1 ? count : undefined
  },
  differs: (wanted, got = 1) => equal(wanted, got),
}

async function counted(path: string, format: string): Promise<number> {
  if (format === 'djvu') return Number(await program('djvused', '-e', 'n', path))
  if (format === 'pdf') return Number(/^Pages:\s+(\d+)/m.exec((await program('pdfinfo', path)).toString())?.[1])
  if (format === 'tif') return (await program('identify-im6.q16', '-format', '.', `TIFF:${path}`)).length
  if (format !== 'dcx') return 1
  // A list of offsets, which ends with zero.
  const bytes = await readFile(path)
  let count = 0
  while (bytes.readUInt32LE(4 + 4 * count) > 0) count++
  return count
}
