import { createWriteStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Zip } from './spec.ts'

/** Formats that deflate cannot make smaller. */
const compressed = ['.jpg', '.png', '.apng', '.webp', '.avif', '.gif', '.heic', '.jxl', '.jp2', '.jxr']

/** Streams files into a zip, as `name-001.ext`, `name-002.ext`, … */
export async function zip({ files, name, output }: Omit<Zip, 'task'>): Promise<void> {
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
