/** Builds ZIP archives, also ones that lie, and reads the names in those of the service. */
import { execa } from 'execa'
import { picture } from '../harness/browser.ts'
import { type RawEntry, rawZip } from '../plugins/archive/raw-zip.ts'

export const zipOf = (...entries: RawEntry[]): Buffer<ArrayBuffer> => Buffer.from(rawZip(entries))

/** Returns the sorted names in an archive, as Python reads it. @throws if a file in it is damaged. */
export async function namesIn(content: Buffer): Promise<string[]> {
  const script = `import io, sys, zipfile
z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert z.testzip() is None
print(*z.namelist(), sep="\\n")`
  return (await execa('python3', ['-c', script], { input: content })).stdout.split('\n').sort()
}

/** Two files in folders, and one that macOS adds. */
export const HOLIDAY = zipOf(
  { name: 'day 1/' },
  { name: 'day 1/sun.png', content: (await picture('sun.png')).buffer },
  { name: 'day 2/süd/notes.md', content: '# Sea\n' },
  { name: '__MACOSX/day 1/._sun.png', content: 'x' },
)
