import { dirname } from 'node:path'
import { read, sources } from '../run/imports.ts'
import { type Mutation, mutationsOf } from './mutations.ts'

/** A generator of numbers from 0 to 1 with a seed: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The folder of which a file is a part: a room of the kernel, a plugin, a program, a part of the page. */
function folderOf(file: string): string {
  const parts = dirname(file).split('/')
  return parts.slice(0, parts[1] === 'programs' ? 3 : 2).join('/')
}

/** Draws mutations in a fixed order: the folders in turn, and in a folder any line of any file. It never ends. */
export function* draw(seed: number): Generator<Mutation> {
  const random = seeded(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const product = sources.filter((file) => /^(kernel|plugins|engines|config|client|page)\//.test(file))
  const folders = Map.groupBy(product.toSorted(), folderOf)
  for (;;) {
    const turn = [...folders.values()].map((files) => ({ files, place: random() }))
    for (const { files } of turn.sort((a, b) => a.place - b.place)) {
      const all = files.flatMap((file) => mutationsOf(file, read(file)))
      // Kinds in equal numbers: lines with conditions are the most.
      const kinds = [...Map.groupBy(all, ({ kind }) => kind).values()]
      if (kinds.length > 0) yield pick(pick(kinds))
    }
  }
}
