/** Builds ZIP archives, also ones that lie, and reads the names in those of the service. */
import { crc32, deflateRawSync } from 'node:zlib'
import { execa } from 'execa'
import { picture } from '../harness/browser.ts'

/** One entry. The last four fields override what is true of it. */
interface Entry {
  path: string | Buffer
  content?: Buffer
  flags?: number
  method?: number
  size?: number
  offset?: number
}

export function zipOf(entries: readonly Entry[]): Buffer<ArrayBuffer> {
  const bodies: Buffer[] = []
  const table: Buffer[] = []
  let at = 0
  for (const {
    path,
    content = Buffer.alloc(0),
    flags = 0,
    method = 8,
    size = content.length,
    offset = at,
  } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(method, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(size, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    table.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, rest, name]))
    bodies.push(local)
    at += local.length
  }
  const directory = Buffer.concat(table)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, directory, end])
}

/** Returns the sorted names in an archive, as Python reads it. @throws if a file in it is damaged. */
export async function namesIn(path: string): Promise<string[]> {
  const script =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist(), sep="\\n")'
  return (await execa('python3', ['-c', script, path])).stdout.split('\n').sort()
}

/** Two files in folders, and one that macOS adds. */
export const HOLIDAY = zipOf([
  { path: 'day 1/' },
  { path: 'day 1/sun.png', content: (await picture('sun.png')).buffer },
  { path: 'day 2/süd/notes.md', content: Buffer.from('# Sea\n') },
  { path: '__MACOSX/day 1/._sun.png', content: Buffer.from('x') },
])
