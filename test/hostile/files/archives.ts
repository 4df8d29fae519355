import { type Raw, rawTar } from '../../plugins/archive/tar.ts'
import type { Lure, Trap } from './lure.ts'

/** Makes a zip with stored members, exactly as given: any bytes in names, links by Unix mode. */
function rawZip(members: readonly { name: string; content: string; mode?: number }[]): Buffer {
  const crc = (bytes: Buffer) => {
    let sum = ~0
    for (const byte of bytes) {
      sum ^= byte
      for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
    }
    return ~sum >>> 0
  }
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, content, mode = 0o100644 } of members) {
    const path = Buffer.from(name)
    const bytes = Buffer.from(content)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(0x5821, 8)
    head.writeUInt32LE(crc(bytes), 10)
    head.writeUInt32LE(bytes.length, 14)
    head.writeUInt32LE(bytes.length, 18)
    head.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, path, bytes])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE((mode << 16) >>> 0, 6)
    entry.writeUInt32LE(at, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), head, entry, path]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  for (const place of [8, 10]) end.writeUInt16LE(members.length, place)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

/** Archives with members that point outside the archive, or to files of the machine. */
export const archives: Trap = ({ folder, prey }) => {
  const ok: Raw = { name: 'fine.txt', content: 'fine' }
  const up = '../'.repeat(12)
  const tars: Record<string, Raw[]> = {
    'a path upward': [{ name: `${up}${prey.slice(1)}/tar`, content: 'x' }],
    'a link to a file': [{ name: 'l', type: '2', target: `${folder}/secret.txt` }],
    'a link to a folder, and a file through it': [
      { name: 'd', type: '2', target: prey },
      { name: 'd/through', content: 'x' },
    ],
    'a hard link to a file': [{ name: 'h', type: '1', target: `${folder}/secret.txt` }],
    'a file over a link': [
      { name: 'o', type: '2', target: `${prey}/over` },
      { name: 'o', content: 'x' },
    ],
  }
  const link = 0o120777
  const zips: Record<string, Parameters<typeof rawZip>[0]> = {
    'a path upward': [{ name: `${up}${prey.slice(1)}/zip`, content: 'x' }],
    'a path upward as DOS writes it': [{ name: `..\\..\\..${prey.replaceAll('/', '\\')}\\zip`, content: 'x' }],
    'a link to a file': [{ name: 'l', content: `${folder}/secret.txt`, mode: link }],
    'a link to a folder, and a file through it': [
      { name: 'd', content: prey, mode: link },
      { name: 'd/through', content: 'x' },
    ],
  }
  const lures: Lure[] = [
    ...Object.entries(tars).map(([what, members]) => ({
      what: `${what} (tar)`,
      name: 'a.tar',
      content: rawTar([ok, ...members]),
    })),
    ...Object.entries(zips).map(([what, members]) => ({
      what: `${what} (zip)`,
      name: 'a.zip',
      content: rawZip([{ name: 'fine.txt', content: 'fine' }, ...members]),
    })),
    {
      what: 'an absolute path (tar)',
      name: 'b.tar',
      content: rawTar([ok, { name: `${prey}/absolute`, content: 'x' }]),
    },
    { what: 'an absolute path (zip)', name: 'b.zip', content: rawZip([{ name: `${prey}/absolute`, content: 'x' }]) },
    {
      what: 'comics that are links',
      name: 'a.cbz',
      content: rawZip([
        { name: '1.png', content: `${folder}/secret.png`, mode: link },
        { name: `${up}${prey.slice(1)}/2.png`, content: 'x' },
      ]),
    },
  ]
  return lures
}
