import { type FileHandle, open } from 'node:fs/promises'

/** A PDF file that is written object by object (ISO 32000-1, 7.5). */
export interface PdfFile extends AsyncDisposable {
  /** Numbers an object that is written later. */
  reserve(): number
  /** Writes an object, with `stream` as a stream of that content, and returns its number. */
  add(dictionary: string, options?: { number?: number; stream?: readonly Buffer[] }): Promise<number>
  /** Writes the end of the file. `root` is the number of the catalogue. */
  end(root: number): Promise<void>
}

/** Creates the file. Version 1.5 is the first with 16 bits a channel. */
export async function createPdf(path: string): Promise<PdfFile> {
  const file: FileHandle = await open(path, 'w')
  const offsets: number[] = [0]
  let at = 0

  const write = async (part: string | Buffer) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    await file.writeFile(bytes)
    at += bytes.length
  }
  const reserve = () => offsets.push(0) - 1

  await write('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n')
  return {
    reserve,
    async add(dictionary, { number = reserve(), stream } = {}) {
      offsets[number] = at
      if (!stream) await write(`${number} 0 obj\n${dictionary}\nendobj\n`)
      else {
        const length = stream.reduce((sum, part) => sum + part.length, 0)
        await write(`${number} 0 obj\n${dictionary.replace(/>>$/, `/Length ${length}>>`)}\nstream\n`)
        for (const part of stream) await write(part)
        await write('\nendstream\nendobj\n')
      }
      return number
    },
    async end(root) {
      const start = at
      const line = (offset: number, index: number) =>
        `${String(offset).padStart(10, '0')} ${index === 0 ? '65535 f' : '00000 n'} \n`
      await write(`xref\n0 ${offsets.length}\n${offsets.map(line).join('')}`)
      await write(`trailer\n<</Size ${offsets.length}/Root ${root} 0 R>>\nstartxref\n${start}\n%%EOF\n`)
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
