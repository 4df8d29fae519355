import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A zip of texts, in order; the member `mimetype`, as OpenDocument and EPUB want it, is not compressed. */
export async function zipped(members: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(members)) {
    zip.addBuffer(Buffer.from(content as string), name, { compress: name !== 'mimetype', mtime: new Date(2020, 0, 2) })
  }
  zip.end()
  return buffer(zip.outputStream)
}
