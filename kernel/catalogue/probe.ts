import { constants } from 'node:fs'
import { access, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Engine } from '../contract.ts'
import type { Ask } from '../sandbox/ask.ts'

/** What this machine has of one engine: `missing` is a sentence that says what would bring it. */
export type Probe = { path: string; version: string; features: string } | { missing: string }

/** Answers by what they depend on, as kept between two boots. */
type Cache = Record<string, Probe>

const FOLDERS = ['/usr/bin', '/usr/local/bin']
/** Change whenever packages do: a program's features can come from libraries that it loads. */
const PACKAGES = [
  '/var/lib/dpkg/status',
  '/etc/ld.so.cache',
  join(import.meta.dirname, '..', '..', 'node_modules', '.package-lock.json'),
]

/**
 * Looks for every engine's program and asks it for its version and features. Never rejects: absence is an answer.
 * Answers are kept in `dataDir` until the program or the installed packages change, so that the next boot asks none.
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

/** The first candidate that can be executed, without symbolic links in its path. */
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

/** Asks in the engine's own sandbox: a program that does not start there is of no use to a job. */
async function question(engine: Engine, path: string, ask: Ask): Promise<Probe> {
  const run = (args: readonly string[]) => ask(path, args, engine.sandbox)
  const [version, features] = await Promise.all([run(engine.version), engine.features && run(engine.features)])
  if (version.late) return { missing: missing(engine, `${path} did not answer within 30 s`) }
  // Some programs print their version and fail. prlimit(1) says by these codes that it could not start one.
  if (version.code === undefined || version.code === 126 || version.code === 127) {
    return { missing: missing(engine, `${path} does not start`) }
  }
  return { path, version: /\d+(\.\d+)+/.exec(version.output)?.[0] ?? 'unknown', features: features?.output ?? '' }
}

const missing = (engine: Engine, what: string) =>
  `${engine.name}: ${what}${engine.package ? `; apt-get install ${engine.package} brings it` : ''}`

/** What changes when a file does. */
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

/** A cache that cannot be written costs the next boot some time, and nothing else. */
async function writeCache(file: string, cache: Cache): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(cache), { mode: 0o600 })
    .then(() => rename(draft, file))
    .catch(() => {})
}
