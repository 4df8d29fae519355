import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import plugin from '../../../plugins/archive/index.ts'
import { withFolder } from '../../harness/folder.ts'
import { listing } from './listing.ts'
import { studio } from './studio.ts'
import { rawTar } from './tar.ts'

const { convert, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())
t.setTimeout(60 * 60_000)

/** Text that every compressor compresses a little better at a higher level. */
function words(count: number): string {
  let state = 7
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16
  const lexicon = Array.from({ length: 500 }, () => (next() + 46_656).toString(36))
  return Array.from({ length: count }, () => lexicon[(next() * next()) % lexicon.length]).join(' ')
}

const content = words(120_000)
const source = rawTar([{ name: 'words.txt', content }])

t.test('compression', async (t) => {
  for (const to of ['zip', 'jar', '7z', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'tar.lz4']) {
    const sizes: number[] = []
    for (const compression of [0, 1, 9]) {
      const made = await convert(source, 'tar', to, { compression })
      t.equal((await listing(made, to))['words.txt'], `file 644 ${content.slice(0, 40)}`, `${to} at ${compression}`)
      sizes.push(made.length)
    }
    const [none, fast, best] = sizes as [number, number, number]
    const stores = ['zip', 'jar', '7z', 'tar.gz'].includes(to)
    if (stores) t.ok(none > content.length, `${to} stores at 0: ${sizes}`)
    else t.ok(none < content.length, `${to} is fast at 0: ${sizes}`)
    t.ok(best < fast && fast < content.length, `${to} is smaller at 9: ${sizes}`)
    const usual = await convert(source, 'tar', to)
    t.ok(usual.length <= fast && usual.length >= best, `${to} is between without it: ${usual.length}`)
  }
})

t.test('stored entries are not compressed', async (t) => {
  const methods = async (to: string) => {
    const made = await convert(source, 'tar', to, { compression: 0 })
    return withFolder(async (folder) => {
      await writeFile(join(folder, 'made'), made)
      return execFileSync('7zz', ['l', '-slt', join(folder, 'made')], { encoding: 'utf8' })
    })
  }
  t.match(await methods('zip'), /Method = Store/)
  t.match(await methods('7z'), /Method = Copy/)
})

t.test('no effect on formats without compression', async (t) => {
  for (const to of ['cpio', 'iso'])
    t.equal(
      (await convert(source, 'tar', to, { compression: 9 })).length,
      (await convert(source, 'tar', to, { compression: 0 })).length,
      to,
    )
})

t.test('the heavy lane', async (t) => {
  const heavy = (to: string, size: number, options = {}) =>
    plugin.heavy({ from: 'zip', to, intent: 'convert', size, options })
  t.ok(heavy('7z', 21e6))
  t.ok(heavy('tar.xz', 21e6, { compression: 5 }))
  t.notOk(heavy('tar.xz', 21e6, { compression: 4 }))
  t.notOk(heavy('7z', 19e6, { compression: 9 }))
  t.notOk(heavy('zip', 5e9, { compression: 9 }))
})
