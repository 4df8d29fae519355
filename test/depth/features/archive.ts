import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { withFolder } from '../../harness/folder.ts'
import { unpack } from '../../matrix/unpack.ts'
import type { Feature } from '../family.ts'
import { unpackSource } from '../readers/archives.ts'
import { isSource, once } from '../sight.ts'
import { hashOf } from '../specimens/archive.ts'
import { always, instead, lacks } from './compare.ts'

interface Member {
  type: 'file' | 'folder' | 'symlink'
  hash?: string
  target?: string
  /** Seconds since 1970. */
  time: number
  mode: number
}

/** Unpacks with another program than the writer of results. */
const treeOf = once((subject) =>
  withFolder(async (root): Promise<Record<string, Member>> => {
    const { path, format } = subject
    await (isSource(subject) ? unpackSource(subject, root) : unpack(path, format, root))
    const found = await readdir(root, { recursive: true, withFileTypes: true })
    const entries = found.map(async (entry) => {
      const at = join(entry.parentPath, entry.name)
      const { mode, mtimeMs } = await lstat(at)
      const more = entry.isSymbolicLink()
        ? { type: 'symlink' as const, target: await readlink(at) }
        : entry.isFile()
          ? { type: 'file' as const, hash: hashOf(await readFile(at)) }
          : { type: 'folder' as const }
      return [relative(root, at), { ...more, mode: mode & 0o777, time: Math.floor(mtimeMs / 1000) }] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }),
)

type Values = Readonly<Record<string, unknown>>

/** A property of some members, by name. A file that its source does not name has the name of the result's file. */
const property = (name: string, pick: (member: Member) => unknown, forFound: boolean): Feature<Values> => ({
  name,
  rule: always,
  read: async (subject) => {
    if (isSource(subject) && !forFound) return undefined
    const members = Object.entries(await treeOf(subject)).map(([path, member]) => [path, pick(member)] as const)
    const own = members.filter(([, value]) => value !== undefined)
    return own.length > 0 || !isSource(subject) ? Object.fromEntries(own) : undefined
  },
  differs: (wanted, got = {}, { specimen, format }) => {
    const lacks = name === 'modes' && (specimen.from === 'iso' || format === 'iso') ? 0o555 : 0o777
    const value = (one: unknown) => (name === 'modes' ? Number(one) & lacks : one)
    const lost = Object.keys(wanted).filter((path) => value(got[path]) !== value(wanted[path]))
    return lost[0] && `${lost[0]}: ${instead(wanted[lost[0]], got[lost[0]])}`
  },
})

/** Names of all members. Folders need no entries of their own; a Java archive has a manifest. */
const names: Feature<readonly string[]> = {
  name: 'names',
  rule: always,
  read: async (subject) => Object.keys(await treeOf(subject)).sort(),
  differs: (wanted, got = []) => {
    const isParent = (path: string) => wanted.some((one) => one.startsWith(`${path}/`))
    const lost = wanted.filter((path) => !got.includes(path))
    const more = got.filter((path) => !wanted.includes(path) && !isParent(path) && !path.startsWith('META-INF'))
    return lost.length + more.length > 0 ? `lost ${lost.join(', ')}; new ${more.join(', ')}` : undefined
  },
}

const empty: Feature<readonly string[]> = {
  name: 'empty folders',
  rule: always,
  read: async (subject) => {
    const tree = await treeOf(subject)
    const all = Object.keys(tree)
    const found = all.filter(
      (path) => tree[path]!.type === 'folder' && !all.some((other) => other.startsWith(`${path}/`)),
    )
    return found.length > 0 ? found : undefined
  },
  differs: (wanted, got) => lacks(wanted, got),
}

/** Features of archives. */
export const archiveFeatures: readonly Feature[] = [
  names,
  property('contents', ({ hash }) => hash, true),
  property('links', ({ target }) => target, true),
  property('times', ({ type, time }) => (type === 'file' ? time : undefined), false),
  property('modes', ({ type, mode }) => (type === 'file' ? mode : undefined), false),
  empty,
]
