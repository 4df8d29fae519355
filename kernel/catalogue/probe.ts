import { constants } from 'node:fs'
import { access, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Engine } from '../contract.ts'
import type { Ask } from '../sandbox/ask.ts'
import { TRIAL_TIMEOUT_MS } from '../sandbox/process/process.ts'

/** An engine as found on this machine. `missing` is a sentence with the reason and the package to install. */
export type Probe = { path: string; version: string; features: string } | { missing: string }

/** Probes that are kept between boots, keyed by everything that they depend on. */
type Cache = Record<string, Probe>

const FOLDERS = ['/usr/bin', '/usr/local/bin']
/** Files that change whenever packages do: a program's features can come from libraries that it loads. */
const PACKAGES = [
  '/var/lib/dpkg/status',
  '/etc/ld.so.cache',
  join(import.meta.dirname, '..', '..', 'node_modules', '.package-lock.json'),
]

/**
 * Finds every engine's program and asks it for its version and features. Never rejects: a missing program is a result.
 * Caches probes in `dataDir` until the program or the installed packages change, so that the next boot runs none.
 */
export async function probeEngines(engines: Iterable<Engine>, dataDir: string, ask: Ask): Promise<Map<Engine, Probe>> {
  const file = join(dataDir, 'probes.json')
  const known = await readCache(file)
  const packages = (await Promise.all(PACKAGES.map(stamp))).join(' ')
  const next: Cache = {}
  const probes = new Map<Engine, Probe>([...engines].map((engine) => [engine, { missing: '' }]))
  const waiting = [...probes.keys()]

  async function work() {
    for (let engine = waiting.shift(); engine; engine = waiting.shift()) probes.set(engine, await probe(engine))
  }

  async function probe(engine: Engine): Promise<Probe> {
    const path = await find(engine.binary)
    if (!path) return { missing: missing(engine, `${engine.binary.join(' or ')} is not installed`) }
    const key = JSON.stringify([path, await stamp(path), packages, engine.version, engine.features])
    const answer = known[key] ?? (await question(engine, path, ask))
    if (!('missing' in answer)) next[key] = answer
    return answer
  }

  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work))
  if (Object.keys(next).some((key) => !known[key])) await writeCache(file, next)
  return probes
}

/** Returns the path of the first executable candidate, with symbolic links resolved. */
async function find(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    for (const path of isAbsolute(candidate) ? [candidate] : FOLDERS.map((folder) => join(folder, candidate))) {
      try {
        await access(path, constants.X_OK)
        const target = await realpath(path)
        if ((await stat(target)).isFile()) return target
      } catch {} // the next one
    }
  }
  return undefined
}

/** Runs the program in the engine's own sandbox: if it does not start there, jobs cannot use it. */
async function question(engine: Engine, path: string, ask: Ask): Promise<Probe> {
  const run = (args: readonly string[]) => ask(path, args, engine.sandbox)
  const [version, features] = await Promise.all([run(engine.version), engine.features && run(engine.features)])
  if (version.late) return { missing: missing(engine, `${path} did not answer within ${TRIAL_TIMEOUT_MS / 1000} s`) }
  // Ignore other exit codes: some programs print their version and fail. prlimit(1) exits with 126 or 127 if it
  // cannot start a program.
  if (version.code === undefined || version.code === 126 || version.code === 127) {
    return { missing: missing(engine, `${path} does not start`) }
  }
  return { path, version: /\d+(\.\d+)+/.exec(version.output)?.[0] ?? 'unknown', features: features?.output ?? '' }
}

const missing = (engine: Engine, what: string) =>
  `${engine.name}: ${what}${engine.package ? `; run apt-get install ${engine.package}` : ''}`

/** Returns a text that changes when the file does: its modification time and size, or '' if there is no file. */
async function stamp(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found ? `${found.mtimeMs}:${found.size}` : ''
}

async function readCache(file: string): Promise<Cache> {
  try {
    const cache: unknown = JSON.parse(await readFile(file, 'utf8'))
    return typeof cache === 'object' && cache !== null ? (cache as Cache) : {}
  } catch {
    return {}
  }
}

/** Ignores errors: without the cache, the next boot only takes longer. */
async function writeCache(file: string, cache: Cache): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(cache), { mode: 0o600 })
    .then(() => rename(draft, file))
    .catch(() => {})
}
