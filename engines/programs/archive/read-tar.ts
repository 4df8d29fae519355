import { pipeline } from 'node:stream/promises'
import { extract, type Header } from 'tar-stream'
import { Refusal } from '../refusal/refusal.ts'
import { Damaged } from './complaints.ts'
import type { Entry, Member } from './entry.ts'

const TYPES: Readonly<Record<string, Entry['type']>> = {
  file: 'file',
  link: 'link',
  symlink: 'symlink',
  directory: 'folder',
}

/** Reads a tar in the format of GNU tar, which bsdtar prints. @throws Damaged */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<Member> {
  // A character of Latin-1 is a byte: this keeps names in any character set.
  const tar = extract({ filenameEncoding: 'latin1', allowUnknownFormat: true } as object)
  // The iterator below throws its errors.
  pipeline(chunks, tar as unknown as NodeJS.WritableStream).catch(() => {})
  try {
    for await (const file of tar) {
      yield { entry: entryOf(file.header), body: file as AsyncIterable<Buffer> }
      file.resume()
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Damaged(String(error))
  }
}

function entryOf(header: Header): Entry {
  const type = TYPES[header.type] ?? 'other'
  return {
    type,
    name: Buffer.from(header.name, 'latin1'),
    target: Buffer.from(header.linkname ?? '', 'latin1'),
    size: type === 'file' ? header.size : 0,
    mode: header.mode & 0o7777,
    mtime: Math.floor(header.mtime.getTime() / 1000) || 0,
    uid: header.uid || 0,
    gid: header.gid || 0,
    user: header.uname,
    group: header.gname,
  }
}
