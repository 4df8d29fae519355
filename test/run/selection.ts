/** Which test files a command runs. */
import { readdirSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { nearest } from '../../kernel/nearest.ts'
import { root } from './imports.ts'

/** Test files, from the root. tap runs them in alphabetical order. */
export function testFiles(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Whether a file belongs to `npm run test:all` alone. */
export const isDeep = (file: string): boolean => file.endsWith('.all.test.ts')

/** Test files, and the plugin or engine to which tests that walk the catalogue limit themselves. */
export interface Selection {
  files: string[]
  only?: string
}

/** A word that names no test. The message is for the person who wrote it. */
export class UnknownName extends Error {}

/** Tests that walk the catalogue. */
const walkers = /^test\/(matrix|depth)\//

/**
 * Selects the tests that words name: a test file, by its path or its name alone, a folder of tests, a folder of the
 * product whose tests mirror it, a plugin or an engine. The prefix `test/` and the ending `.test.ts` can be left out. A
 * plugin also selects the tests that walk the catalogue, limited to it.
 *
 * @param deep Includes tests of `test:all`. A file that is named itself is always included.
 * @throws UnknownName with the nearest name.
 */
export function select(words: readonly string[], all: readonly string[], deep: boolean): Selection {
  const plugins = list('plugins').filter((name) => name !== 'formats')
  const engines = list('engines').flatMap((name) => (name.endsWith('.ts') ? [name.slice(0, -3)] : []))
  const selected = new Set<string>()
  let only: string | undefined
  const add = (files: readonly string[]) =>
    files.filter((file) => deep || !isDeep(file)).map((file) => selected.add(file))
  for (const word of words) {
    const path = normalize(relative(root, join(root, word))).replace(/\/$/, '')
    const names = [path, join('test', path), `test/${path.replace(/^kernel\//, '')}`]
    // Without its ending, a name means the test of `npm test` before that of `npm run test:all`.
    const file = ['', '.test.ts', '.all.test.ts']
      .map((ending) => all.find((one) => names.some((name) => one === name + ending)))
      .find((found) => found !== undefined)
    const inside = all.filter((one) => names.some((name) => one.startsWith(`${name}/`)))
    const called = all.filter(
      (one) => one.includes(`/${word}/`) || one.endsWith(`/${word}.test.ts`) || one.endsWith(`/${word}.all.test.ts`),
    )
    if (file) selected.add(file)
    else if (inside.length > 0) add(inside)
    else if (plugins.includes(word) || engines.includes(word)) {
      only = word
      add(
        all.filter((one) => walkers.test(one) || one.startsWith(`test/plugins/${word}/`) || one.includes(`/${word}.`)),
      )
    } else if (called.length > 0) {
      const fast = called.filter((one) => !isDeep(one))
      for (const one of fast.length > 0 && !deep ? fast : called) selected.add(one)
    } else throw new UnknownName(unknown(word, [...all, ...foldersOf(all), ...plugins, ...engines]))
  }
  return { files: all.filter((file) => selected.has(file)), ...(only && { only }) }
}

const list = (folder: string) => readdirSync(join(root, folder))
const foldersOf = (files: readonly string[]) => [...new Set(files.map((file) => file.slice(0, file.lastIndexOf('/'))))]

function unknown(word: string, names: readonly string[]): string {
  const bare = names.map((name) => name.replace(/(?:\.all)?\.test\.ts$/, ''))
  const short = [...names, ...bare].flatMap((name) => [
    name,
    name.replace(/^test\//, ''),
    name.slice(name.lastIndexOf('/') + 1),
  ])
  const close = nearest(word, [...new Set(short)])
  return `No test file, test folder, plugin or engine is called "${word}".${close ? ` Did you mean "${close}"?` : ''}`
}
