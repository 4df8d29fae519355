import { createWriteStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Zip } from './spec.ts'

/** Formats that deflate cannot make smaller. */
const compressed = ['.jpg', '.png', '.apng', '.webp', '.avif', '.gif', '.heic', '.jxl', '.jp2', '.jxr']

/**
 * Streams files into a zip, as `name-001.ext`, `name-002.ext`, … If `output` is a pattern with `%03d`, copies them to
 * files of such names instead.
 */
export async function zip({ files, name, output }: Omit<Zip, 'task'>): Promise<void> {
  if (output.includes('%03d')) {
    for (const [index, file] of files.entries())
      await copyFile(file, output.replace('%03d', String(index + 1).padStart(3, '0')))
    return
  }
  const archive = new ZipFile()
  const digits = Math.max(3, String(files.length).length)
  const stem = name.replaceAll(/[\\/]/g, '_')
  for (const [index, file] of files.entries()) {
    const extension = extname(file)
    const entry = `${stem}-${String(index + 1).padStart(digits, '0')}${extension}`
    archive.addFile(file, entry, { compress: !compressed.includes(extension), mode: 0o100644 })
  }
  archive.end()
  await pipeline(archive.outputStream, createWriteStream(output))
}
