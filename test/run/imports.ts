/** The graph of imports: which file needs which. `test/architecture.test.ts` holds its rules against it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const folders = ['cli', 'kernel', 'plugins', 'engines', 'config', 'sdk', 'client', 'page', 'bench', 'test']
/** The build folders of the packages that others install, and a separate package with its own dependencies. */
const foreign = ['sdk/dist', 'client/dist', 'test/clients'].map((path) => join(root, path))

/** Returns the text of a file, named from the root. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Scripts, named from the root. */
export const sources: readonly string[] = folders
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(tsx?|mjs|js)$/.test(entry.name))
  .filter((entry) => !foreign.some((path) => entry.parentPath.startsWith(path)))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const documents = ['', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

export interface Import {
  /** The importing file, from the root. */
  file: string
  /** The specifier as written. */
  specifier: string
  /** The imported file, from the root; undefined for a package. */
  target: string | undefined
  typeOnly: boolean
}

const codeOf = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** Finds static and dynamic imports, and re-exports. No file here contains them in strings, so a pattern is enough. */
export function importsOf(file: string, text: string): Import[] {
  const code = codeOf(text)
  const found = [
    ...code.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^'"`;()]*?\sfrom\s+)?'([^'$\n]+)'/gm),
    ...[...code.matchAll(/\bimport\(\s*'([^'$\n]+)'/g)].map((match) => [match[0], undefined, match[1]]),
  ]
  return found.map(([, type, specifier]) => ({
    file,
    specifier: specifier!,
    target: specifier!.startsWith('.') ? join(dirname(file), specifier!) : undefined,
    typeOnly: type !== undefined,
  }))
}

/** All imports of the project. */
export const imports: readonly Import[] = sources.flatMap((file) => importsOf(file, read(file)))

const importsBy = Map.groupBy(imports, ({ file }) => file)

/**
 * What a file uses by path, where neither an import nor a whole path in its text shows it: services load all plugins,
 * and serve the built page. The loader itself is not listed: in a test, the configuration decides what it loads.
 */
const byPath: Readonly<Record<string, readonly string[]>> = {
  'config/setup/compile.mjs': ['engines/node/'],
  'kernel/catalogue/loader.ts': ['plugins/formats/'],
  Containerfile: ['config/health-check.ts'],
  'kernel/http/built.ts': ['page/', 'client/', 'docs/'],
  'test/architecture.test.ts': folders.map((folder) => `${folder}/`),
  'test/docs/docs.test.ts': ['docs/', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  'test/fixtures/plugin.ts': ['plugins/'],
  'test/harness/machine.ts': ['plugins/'],
  'test/harness/program.ts': ['kernel/main.ts', 'plugins/', 'test/stub-plugin/'],
  'test/harness/service.ts': ['test/stub-plugin/'],
}

/** Folders from which paths in a text may start, besides its own and the root. */
const starts = ['engines/programs', 'test']

const isFile = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false

const programs = readdirSync(join(root, 'engines/programs'), { recursive: true, encoding: 'utf8' })

/**
 * Finds files of the repository that a text names by path, such as programs that it starts. Engines name them by their
 * folder.
 */
function namedIn(file: string, text: string): string[] {
  if (/^engines\/[^/]+$/.test(file)) {
    const folders = new Set<string>(codeOf(text).match(/(?<=['"`/])[\w-]+(?=['"`/])/g) ?? [])
    return programs.filter((path) => folders.has(path.split('/')[0]!)).map((path) => `engines/programs/${path}`)
  }
  const words = [...codeOf(text).matchAll(/['"`]([\w./-]+)['"`]/g)].map(([, word]) => word!)
  const from = (word: string) => [join(dirname(file), word), word, ...starts.map((start) => join(start, word))]
  return words.flatMap((word) => from(word).filter((path) => !path.startsWith('..') && isFile(path)))
}

/** Everything that a file needs, directly or not, types included, with the number of steps to it. */
export function neededBy(file: string): Map<string, number> {
  const found = new Map([[file, 0]])
  // A map that grows during the iteration.
  for (const [at, steps] of found) for (const next of edges(at)) if (!found.has(next)) found.set(next, steps + 1)
  return found
}

const known = new Map<string, readonly string[]>()
function edges(file: string): readonly string[] {
  let next = known.get(file)
  if (!next) {
    const text = isFile(file) ? read(file) : ''
    const folders = byPath[file] ?? []
    const inFolders = [...sources, ...documents].filter((path) => folders.some((folder) => path.startsWith(folder)))
    const imported = (importsBy.get(file) ?? []).flatMap(({ target }) => target ?? [])
    next = [...new Set([...imported, ...(/\.(tsx?|m?js)$/.test(file) ? namedIn(file, text) : []), ...inFolders])]
    known.set(file, next)
  }
  return next
}

/**
 * Returns those of the tests that need one of the changed files, by imports or because they name it. First come those
 * in the folder that mirrors the file's, then those that need it most directly.
 */
export function reachedBy(changed: readonly string[], tests: readonly string[]): string[] {
  const distance = (test: string) => {
    const needed = neededBy(test)
    return Math.min(...changed.map((file) => needed.get(file) ?? Number.POSITIVE_INFINITY))
  }
  const mirrors = changed.map((file) => `test/${dirname(file).replace(/^kernel\/?/, '')}`)
  const isNear = (test: string) => mirrors.includes(dirname(test))
  return tests
    .map((test) => ({ test, steps: distance(test) }))
    .filter(({ steps }) => Number.isFinite(steps))
    .sort((a, b) => Number(isNear(b.test)) - Number(isNear(a.test)) || a.steps - b.steps)
    .map(({ test }) => test)
}
