/** Compares the Debian packages that engines load with the versions in the security archive, by apt's own lists. */
import { execFile } from 'node:child_process'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** An installed package with a newer version in the archive. */
export interface Update {
  package: string
  installed: string
  offered: string
}

/** Whether the package lists of this machine are up to date. */
export type Lists =
  /** There is no list of the security archive, so nothing is known. */
  | { state: 'absent' }
  | {
      /** `current`: the list is within its `Valid-Until`. `stale`: it has expired, so newer fixes may exist. */
      state: 'current' | 'stale'
      /** When the archive published the list (`Date` of its Release file). ISO 8601. */
      published: string
      /** When this machine last fetched or confirmed it. ISO 8601. */
      fetched: string
      /** When the list expires (`Valid-Until`). ISO 8601. */
      validUntil: string
    }

/** The packages that an operator should upgrade. */
export interface Updates {
  lists: Lists
  /** Number of compared packages: the named ones that are installed, and everything that they depend on. */
  compared: number
  /** Packages with a newer version in the security archive. */
  security: Update[]
  /**
   * Packages with a newer version only elsewhere, such as in a point release, which can contain older security fixes.
   */
  other: Update[]
}

/** Milliseconds after which a list without `Valid-Until` is stale: a week, as in Debian's security archive. */
const VALID = 7 * 86_400_000
const CLOSURE = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)
/** Without sources, apt sees only installed packages. Otherwise it would follow dependencies of the newer versions. */
const INSTALLED = ['-o', 'Dir::Etc::sourcelist=/dev/null', '-o', 'Dir::Etc::sourceparts=/dev/null', '--installed']
/** apt writes an index of its lists. This query must not write to the machine. */
const READ_ONLY = ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=']

/**
 * Asks apt about these packages and everything that they depend on. Reads the lists on this machine and fetches
 * nothing.
 *
 * @param packages Debian packages; those that are not installed are left out
 * @param now Milliseconds since the epoch
 */
export async function findUpdates(packages: readonly string[], now = Date.now()): Promise<Updates> {
  const lists = await examineLists(now)
  const closure = await apt('depends', '--recurse', ...INSTALLED, ...CLOSURE, ...packages)
  const names = [...new Set(closure.match(/^[^\s<|].*$/gm))]
  const policies = names.length > 0 ? readPolicy(await apt('policy', ...names)) : []
  const newer = policies.flatMap(({ name, installed, offers }) => {
    const [best] = offers
    return best ? [{ package: name, installed, offered: best.version, offers }] : []
  })
  const update = ({ offers: _, ...update }: (typeof newer)[number]): Update => update
  const isSecurity = ({ offers }: (typeof newer)[number]) => offers.some(({ security }) => security)
  return {
    lists,
    compared: policies.length,
    security: newer.filter(isSecurity).map(update),
    other: newer.filter((item) => !isSecurity(item)).map(update),
  }
}

interface Policy {
  name: string
  installed: string
  /** Versions above the installed one, highest first. */
  offers: { version: string; security: boolean }[]
}

/** Reads `apt-cache policy`, which lists versions from the highest down and marks the installed one by `***`. */
function readPolicy(text: string): Policy[] {
  return text.split(/^(?=\S)/m).flatMap((block): Policy[] => {
    const name = /^(\S+):$/m.exec(block)?.[1]
    const installed = /^ {2}Installed: (\S+)$/m.exec(block)?.[1]
    if (!name || !installed || installed === '(none)') return []
    const above = block.slice(block.indexOf('Version table:'), block.indexOf('\n *** '))
    const offers = above.split(/^(?= {5}\S)/m).slice(1)
    return [
      {
        name,
        installed,
        offers: offers.map((offer) => ({
          version: /\S+/.exec(offer)?.[0] ?? '',
          security: /^ {6,}-?\d+ \S+ [^\s/]+-security[\s/]/m.test(offer),
        })),
      },
    ]
  })
}

/** Returns the state and the times of the security archive's list. */
async function examineLists(now: number): Promise<Lists> {
  const folder = /^LISTS='(.*)'$/m.exec(await run('apt-config', ['shell', 'LISTS', 'Dir::State::lists/d']))?.[1]
  if (!folder) return { state: 'absent' }
  const files = await readdir(folder).catch(() => [])
  for (const file of files.filter((name) => /_(In)?Release$/.test(name))) {
    const path = join(folder, file)
    const head = await readHead(path)
    const field = (name: string) => new RegExp(`^${name}: *(.+)$`, 'm').exec(head)?.[1]
    if (![field('Suite'), field('Codename')].some((name) => name?.endsWith('-security'))) continue
    // apt sets a list's mtime to its publication. Its ctime is when it was fetched or confirmed.
    const fetched = (await stat(path)).ctimeMs
    const published = Date.parse(field('Date') ?? '') || fetched
    const validUntil = Date.parse(field('Valid-Until') ?? '') || published + VALID
    const iso = (time: number) => new Date(time).toISOString()
    return {
      state: now <= validUntil ? 'current' : 'stale',
      published: iso(published),
      fetched: iso(fetched),
      validUntil: iso(validUntil),
    }
  }
  return { state: 'absent' }
}

/** Reads the first 4 KiB of a file. The fields of a Release file come before its long lists of hashes. */
async function readHead(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
  return buffer.toString('latin1', 0, bytesRead)
}

const apt = (...args: string[]) => run('apt-cache', [...READ_ONLY, ...args])

/** Returns the output of a program; '' if it does not exist or fails, as on machines that are not Debian. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' }
  const options = { env, timeout: 30_000, maxBuffer: 64 * 1024 ** 2 }
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    () => '',
  )
}
