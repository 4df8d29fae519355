import { basename } from 'node:path'
import { flat, full, type Item, plain, text, twins } from '../fixtures/archive/tree.ts'
import type { Sample } from '../fixtures/sample.ts'
import { withFolder } from '../harness/folder.ts'
import { compareTree, type Expected } from './tree.ts'
import { unpack } from './unpack.ts'

type Tree = Readonly<Record<string, Item>>

/** Which parts of the original tree a source keeps. Default: all, under the same names. */
interface Held {
  tree?: Tree
  /** The folder with the tree. */
  under?: string
  /** Whether one file has two names. */
  twins?: boolean
  lacks?: Expected['lacks']
}

const linked: Held = { twins: true }
const single: Held = { tree: { picture: { type: 'file', content: text, mode: 0o644 } }, lacks: ['times'] }
const manifest: Item = { type: 'file', content: Buffer.from('Manifest-Version: 1.0\n'), mode: 0o644 }
const withoutFolders = (tree: Tree) =>
  Object.fromEntries(Object.entries(tree).filter(([, { type }]) => type === 'file')) as Tree

const sources: Readonly<Record<string, Held>> = {
  ...Object.fromEntries(['gz', 'bz2', 'xz', 'zst', 'lz4', 'lzma', 'lz', 'z', 'br'].map((format) => [format, single])),
  ...Object.fromEntries(
    ['', '.gz', '.bz2', '.xz', '.zst', '.lz4', '.lz', '.lzma', '.z'].map((packing) => [`tar${packing}`, linked]),
  ),
  gz: { ...single, lacks: [] },
  jar: { tree: { ...full, 'META-INF/MANIFEST.MF': manifest } },
  cpio: linked,
  deb: linked,
  rpm: { twins: true, under: 'opt/tree/' },
  iso: { twins: true, lacks: ['write permission'] },
  // WIM is a format of Windows.
  wim: { twins: true, lacks: ['modes'] },
  ar: { tree: flat },
  lha: { tree: plain },
  arj: { tree: withoutFolders(plain) },
  cab: { tree: withoutFolders(plain), lacks: ['modes'] },
}

/** Samples of another variant than the format's usual one. */
const kinds: Readonly<Record<string, Held>> = {
  'deflate64.zip': { tree: plain },
  'deflate64.7z': { tree: plain },
  'four.rar': { tree: plain },
  'universal.iso': { tree: plain, lacks: ['modes'] },
  'odc.cpio': linked,
}

/** What is lost in a target, or in the program that unpacks it for the test. */
const unpackers: Readonly<Record<string, Expected['lacks']>> = {
  zip: ['times of links'],
  jar: ['times of links'],
  iso: ['write permission', 'times of links'],
}

/** Targets that support hard links. In the others, both names are files. */
const knowsLinks = (to: string) => to.startsWith('tar')

/**
 * Unpacks an archive with another program than its writer, and compares everything with the tree that its source was
 * made of: names, kinds, contents, targets of links, permissions, times to the second.
 */
export async function verifyArchive(path: string, to: string, source: Sample): Promise<void> {
  const name = basename(source.path)
  const format = name.slice(name.indexOf('.') + 1)
  const held = kinds[name] ?? sources[format] ?? {}
  const under = held.under ?? ''
  const tree: Record<string, Item> = { ...(held.tree ?? full) }
  if (held.twins) tree[twins[1]] = tree[twins[0]]!
  return withFolder(async (folder) => {
    await unpack(path, to, folder)
    await compareTree(folder, {
      tree: Object.fromEntries(Object.entries(tree).map(([name, item]) => [`${under}${name}`, item])),
      // Folders do not always have entries of their own, and a Java archive has a manifest.
      besides: [
        'opt',
        'opt/tree',
        'folder',
        ...(to === 'jar' || format === 'jar' ? ['META-INF', 'META-INF/MANIFEST.MF'] : []),
      ],
      lacks: [...(held.lacks ?? []), ...(unpackers[to] ?? [])],
      ...(held.twins && knowsLinks(to) && { twins: twins.map((name) => `${under}${name}`) }),
    })
  })
}
