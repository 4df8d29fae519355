import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { rar5 } from '../../fixtures/archive/rar.ts'
import { changed, full, grow, type Item, plain } from '../../fixtures/archive/tree.ts'
import { archive } from '../../fixtures/archive.ts'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { specimen } from '../saved.ts'

type Tree = Readonly<Record<string, Item>>

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** What a tree has, by feature. */
function truthOf(tree: Tree): Record<string, unknown> {
  const all = Object.entries(tree)
  const of = <Value>(pick: (item: Item) => Value | undefined) =>
    Object.fromEntries(all.flatMap(([name, item]) => (pick(item) === undefined ? [] : [[name, pick(item)] as const])))
  const inFiles = (value: (item: Item & { type: 'file' }) => unknown) =>
    of((item) => (item.type === 'file' ? value(item) : undefined))
  const truth = {
    names: all.map(([name]) => name).sort(),
    contents: inFiles(({ content }) => hashOf(content)),
    links: of((item) => (item.type === 'symlink' ? item.target : undefined)),
    times: inFiles(() => changed.getTime() / 1000),
    modes: inFiles(({ mode }) => mode),
    'empty folders': all.map(([name]) => name).filter((name) => name.endsWith('void')),
  }
  return Object.fromEntries(Object.entries(truth).filter(([, value]) => Object.keys(value).length > 0))
}

/** A program that runs in the folder with the tree. `$0` is the output. */
const by = (name: string, script: string, tree: Tree = full): Specimen =>
  specimen(
    name,
    async (output, scratch) => {
      const root = await grow(`${scratch}/tree`, tree, false)
      await rm(output, { force: true })
      await program('env', '-C', root, 'bash', '-ec', script, output)
    },
    truthOf(tree),
  )

const linked: Tree = { ...full, 'folder/twin.txt': full['hello.txt']! }

/** Specimens of archives. */
export const archives: readonly Specimen[] = [
  by('infozip.zip', 'zip -qry "$0" .'),
  by('stored.zip', '7zz a -bd -bso0 -snl -tzip -mx=0 "$0" .'),
  by('solid.7z', '7zz a -bd -bso0 -snl -ms=on -mx=5 "$0" .'),
  by('libarchive.7z', 'bsdtar --format=7zip -cf "$0" .'),
  specimen('five.rar', async (output) => writeFile(output, rar5(full)), truthOf(full)),
  by('gnu.tar.gz', 'set -o pipefail; tar --format=gnu -cf - . | gzip -1 > "$0"'),
  by('ustar.tar', 'tar --format=ustar -cf "$0" .', plain),
  specimen('fixture.cpio', archive.cpio!.make, truthOf(linked)),
]
