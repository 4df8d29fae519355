import { readFile, stat, writeFile } from 'node:fs/promises'

/**
 * Writes an image as a metadata file for FFmpeg (ffmpeg-formats(1), "Metadata"). Its only tag is the cover in Vorbis
 * comments: a FLAC picture block in Base64 (RFC 9639 §8.8).
 */
const [mime = '', width = '0', height = '0', input = '', output = ''] = process.argv.slice(2)

/** Most bytes of a cover. Players read the tags before the audio. */
const LARGEST = 16 * 1024 ** 2
const FRONT_COVER = 3
const DEPTH = 24

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

if ((await stat(input)).size > LARGEST) throw new Error('the picture is too large for a tag')
const picture = await readFile(input)
const block = Buffer.concat([
  number(FRONT_COVER),
  number(mime.length),
  Buffer.from(mime),
  number(0),
  ...[Number(width), Number(height), DEPTH, 0, picture.length].map(number),
  picture,
])
await writeFile(output, `;FFMETADATA1\nMETADATA_BLOCK_PICTURE=${block.toString('base64')}\n`)
