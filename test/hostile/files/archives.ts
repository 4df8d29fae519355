import { type RawEntry, rawZip } from '../../plugins/archive/raw-zip.ts'
import { type Raw, rawTar } from '../../plugins/archive/tar.ts'
import type { Lure, Trap } from './lure.ts'

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
  const link = { attributes: 0o120777 * 2 ** 16, stored: true }
  const zips: Record<string, RawEntry[]> = {
    'a path upward': [{ name: `${up}${prey.slice(1)}/zip`, content: 'x' }],
    'a path upward as DOS writes it': [{ name: `..\\..\\..${prey.replaceAll('/', '\\')}\\zip`, content: 'x' }],
    'a link to a file': [{ name: 'l', content: `${folder}/secret.txt`, ...link }],
    'a link to a folder, and a file through it': [
      { name: 'd', content: prey, ...link },
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
        { name: '1.png', content: `${folder}/secret.png`, ...link },
        { name: `${up}${prey.slice(1)}/2.png`, content: 'x' },
      ]),
    },
  ]
  return lures
}
