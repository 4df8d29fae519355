import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { program } from '../fixtures/program.ts'

/** Returns the number of frames of an APNG, from the acTL chunk before the pixels; undefined for a still PNG. */
export async function declaredFrames(path: string): Promise<number | undefined> {
  const bytes = await readFile(path)
  const at = bytes.subarray(0, bytes.indexOf('IDAT')).indexOf('acTL')
  return at < 0 ? undefined : bytes.readUInt32BE(at + 4)
}

/** Returns the number of frames or pages of a picture. Rejects if it cannot be read. */
export async function countFrames(path: string, format: string): Promise<number> {
  if (format !== 'apng' && format !== 'avif') return (await sharp(path).metadata()).pages ?? 1
  // FFmpeg's APNG demuxer accepts animations only.
  if (format === 'apng' && (await declaredFrames(path)) === 1) return 1
  const demuxer = format === 'apng' ? ['-f', 'apng'] : []
  const count = ['-count_packets', '-select_streams', 'v', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0']
  const printed = await program('ffprobe', '-v', 'error', ...demuxer, ...count, path)
  // ffmpeg finds no track in a still AVIF. A sequence has one, next to its first picture as an item.
  return Math.max(
    1,
    ...printed
      .toString()
      .split('\n')
      .map((line) => Number(line) || 1),
  )
}
