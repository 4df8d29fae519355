import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import type { SafeEntry, SafeMember } from './entry.ts'

/** Larger numbers of users, and times, need a record of their own. */
const MAX_ID = 0o7777777
const MAX_TIME = 0x7fffffff

/** Writes entries as a tar with names in UTF-8. */
export function writeTar(members: AsyncIterable<SafeMember>): AsyncIterable<Buffer> {
  const tar = pack()
  const write = async () => {
    for await (const { entry, body } of members) {
      const sink = tar.entry(headerOf(entry))
      await pipeline(body ?? [], sink as unknown as NodeJS.WritableStream)
    }
    tar.finalize()
  }
  write().catch((error) => tar.destroy(error))
  return tar as AsyncIterable<Buffer>
}

function headerOf(entry: SafeEntry): Parameters<ReturnType<typeof pack>['entry']>[0] {
  const records: Record<string, string> = {}
  if (entry.uid > MAX_ID) records.uid = String(entry.uid)
  if (entry.gid > MAX_ID) records.gid = String(entry.gid)
  const isUsualTime = entry.mtime >= 0 && entry.mtime <= MAX_TIME
  if (!isUsualTime) records.mtime = String(entry.mtime)
  return {
    name: entry.name,
    type: entry.type === 'folder' ? 'directory' : (entry.type as 'file' | 'link' | 'symlink'),
    linkname: entry.target,
    size: entry.size,
    // tar-stream replaces a mode of 0. It leaves out the bit of a regular file.
    mode: (entry.mode & 0o777) | 0o100000,
    mtime: new Date(isUsualTime ? entry.mtime * 1000 : 0),
    uid: entry.uid,
    gid: entry.gid,
    // With one byte for each that is not UTF-8, they fit in their fields.
    uname: entry.user.replaceAll('\ufffd', '?'),
    gname: entry.group.replaceAll('\ufffd', '?'),
    ...(Object.keys(records).length > 0 && { pax: records }),
  }
}
