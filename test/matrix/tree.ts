import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { changed, type Item } from '../fixtures/archive/tree.ts'
import { Unlike } from './verdict.ts'

/** The expected content of a folder. */
export interface Expected {
  tree: Readonly<Record<string, Item>>
  /** Optional entries. */
  besides: readonly string[]
  /** Properties that are lost. */
  lacks: readonly ('times' | 'times of links' | 'times of folders' | 'modes' | 'write permission')[]
  /** Names of one file. */
  twins?: readonly string[]
}

/** Compares a folder with the expected content. Throws Unlike. */
export async function compareTree(root: string, { tree, besides, lacks, twins }: Expected): Promise<void> {
  const found = (await readdir(root, { recursive: true, withFileTypes: true })).map(({ parentPath, name }) =>
    relative(root, join(parentPath, name)),
  )
  const extra = found.filter((name) => !tree[name] && !besides.includes(name))
  if (extra.length > 0) throw new Unlike(`there is ${extra.join(', ')} besides`)
  for (const [name, item] of Object.entries(tree)) {
    if (!found.includes(name)) throw new Unlike(`${name} is missing`)
    await compareItem(join(root, name), name, item, lacks)
  }
  if (twins) {
    const numbers = await Promise.all(twins.map(async (name) => (await lstat(join(root, name))).ino))
    if (new Set(numbers).size !== 1) throw new Unlike(`${twins.join(' and ')} are no longer one file`)
  }
}

async function compareItem(path: string, name: string, item: Item, lacks: Expected['lacks']): Promise<void> {
  const stats = await lstat(path)
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'symlink' : 'other'
  if (type !== item.type) throw new Unlike(`${name} is a ${type} instead of a ${item.type}`)
  if (item.type === 'file' && !(await readFile(path)).equals(item.content)) throw new Unlike(`${name} has other bytes`)
  if (item.type === 'symlink') {
    const target = await readlink(path)
    if (target !== item.target) throw new Unlike(`${name} leads to ${target} instead of ${item.target}`)
  }
  if (item.type !== 'symlink' && !lacks.includes('modes')) {
    const mask = lacks.includes('write permission') ? 0o555 : 0o777
    const mode = stats.mode & mask
    if (mode !== (item.mode & mask))
      throw new Unlike(`${name} has mode ${mode.toString(8)}, not ${item.mode.toString(8)}`)
  }
  const time = Math.floor(stats.mtimeMs / 1000) * 1000
  const timeless = { file: 'times', folder: 'times of folders', symlink: 'times of links' } as const
  if (lacks.includes('times') || lacks.includes(timeless[item.type])) return
  if (time !== changed.getTime()) throw new Unlike(`${name} was changed ${new Date(time).toISOString()}`)
}
