import { BLOCK } from './bytes.ts'
import type { Entry } from './entry.ts'

/** An entry ready to be written: checked, with name and target in UTF-8. */
export type Written = Pick<Entry, 'type' | 'size' | 'sparse' | 'mode' | 'mtime' | 'uid' | 'gid' | 'user' | 'group'> & {
  name: string
  target: string
}

const FLAGS = { file: '0', link: '1', symlink: '2', folder: '5', other: '0' } as const

/** The header of an entry in the pax format: an extended header if necessary, then a plain one. */
export function tarHeader(entry: Written): Buffer {
  const name = entry.type === 'folder' ? `${entry.name}/` : entry.name
  const seconds = Math.floor(Number(entry.mtime))
  const records: [string, string | number][] = []
  if (entry.sparse !== undefined) {
    records.push(['GNU.sparse.major', 1], ['GNU.sparse.minor', 0])
    records.push(['GNU.sparse.name', name], ['GNU.sparse.realsize', entry.sparse])
  } else if (!plain(name, 100)) records.push(['path', name])
  if (!plain(entry.target, 100)) records.push(['linkpath', entry.target])
  if (entry.size >= 8 ** 11) records.push(['size', entry.size])
  if (entry.mtime !== String(seconds) || seconds < 0 || seconds >= 8 ** 11) records.push(['mtime', entry.mtime])
  if (entry.uid >= 8 ** 7) records.push(['uid', entry.uid])
  if (entry.gid >= 8 ** 7) records.push(['gid', entry.gid])
  if (!plain(entry.user, 32)) records.push(['uname', entry.user.slice(0, 255)])
  if (!plain(entry.group, 32)) records.push(['gname', entry.group.slice(0, 255)])

  const header = ustar({ ...entry, name }, FLAGS[entry.type], seconds)
  if (records.length === 0) return header
  const body = Buffer.concat(records.map(([key, value]) => record(key, String(value))))
  const before = { ...entry, name: 'PaxHeader', target: '', size: body.length, mode: 0o644 }
  return Buffer.concat([ustar(before, 'x', seconds), body, padding(body.length), header])
}

/** Zeros that fill the last block of `size` bytes. */
export const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** The end of a tar. */
export const tarEnd = () => Buffer.alloc(2 * BLOCK)

function plain(text: string, most: number): boolean {
  return text.length <= most && /^[\x20-\x7e]*$/.test(text)
}

/** A record whose length includes the length field itself. */
function record(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return Buffer.concat([Buffer.from(String(length)), rest])
}

function ustar(entry: Written, flag: string, seconds: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const text = (value: string, at: number, most: number) =>
    header.write(value.replace(/[^\x20-\x7e]/g, '_').slice(0, most), at, 'latin1')
  const number = (value: number, at: number, digits: number) =>
    text((value >= 0 && value < 8 ** digits ? value : 0).toString(8).padStart(digits, '0'), at, digits)
  text(entry.name, 0, 100)
  number(entry.mode & 0o777, 100, 7)
  number(entry.uid, 108, 7)
  number(entry.gid, 116, 7)
  number(entry.size, 124, 11)
  number(seconds, 136, 11)
  text(flag, 156, 1)
  text(entry.target, 157, 100)
  header.write('ustar\x0000', 257, 'latin1')
  text(entry.user, 265, 31)
  text(entry.group, 297, 31)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
