import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../../contract.ts'
import type { Groups } from '../limits/cgroup.ts'
import { limitsFor, PROCESSES, type ProcessLimits } from '../limits/prlimit.ts'
import { argumentsFor, BINDS, hostnameOptions, type MemoryFileSystems } from '../walls/bubblewrap.ts'
import { type Filters, writeFilters, writeForEngines } from '../walls/filters.ts'
import { through } from '../walls/landlock.ts'
import type { EngineUser } from '../walls/user.ts'
import { INFORMATION, type Running, start } from './process.ts'

/** One program to start. */
export interface Command {
  /** Absolute path. */
  program: string
  args: readonly string[]
  profile?: Profile | undefined
  /** Host path of the job's folder. */
  folder: string
  /** Whether it serves several jobs. Then stdin stays open, and only wall time limits its CPU use. */
  warm?: boolean
}

/** Paths of a job's folders, as the program sees them. */
export interface Paths {
  in: string
  out: string
  scratch: string
}

/** Starts programs, in a sandbox or without one. */
export interface Launcher {
  /** Whether programs cannot change files in `in`, even files that their own user owns. */
  readonly shields: boolean
  start(command: Command): Running
  paths(folder: string): Paths
}

export interface LaunchOptions {
  /** Folder for the files that every sandbox needs. */
  folder: string
  limits: ProcessLimits
  /** In-memory file systems of each sandbox. */
  sizes: MemoryFileSystems
  user: EngineUser | undefined
  /** Cgroups in which the kernel limits the memory of each program; undefined: none. */
  groups?: Groups | undefined
  /** Name of bwrap in process lists. */
  name: string
}

/** Starts programs in bubblewrap. First writes the files that every run needs to `folder`. */
export async function bubblewrap({ folder, limits, sizes, user, groups, name }: LaunchOptions): Promise<Launcher> {
  const filters = await writeFilters(folder, user)
  const hostname = hostnameOptions(user)
  const files = {
    [join(folder, 'passwd')]: 'user:x:1000:1000::/tmp/home:/usr/sbin/nologin\n',
    [join(folder, 'group')]: 'user:x:1000:\n',
  }
  await Promise.all(Object.entries(files).map(([path, content]) => writeForEngines(path, content, user)))
  return { shields: true, start: startSandboxed, paths: () => ({ in: '/in', out: '/out', scratch: '/scratch' }) }

  function startSandboxed({ program, args, profile = {}, folder: job, warm }: Command): Running {
    const prlimit = limitsFor(profile, warm ? { ...limits, cpu: 0 } : limits)
    // Passed in a descriptor: the sandbox can read the command line at /proc/1/cmdline.
    const walls = [...argumentsFor(profile, job, folder, sizes), ...hostname]
    const options = Buffer.from([...walls, '--seccomp', '3', '--info-fd', `${INFORMATION}`, ''].join('\0'))
    const filter = openSync(filters(profile), 'r')
    try {
      return start(
        '/usr/bin/bwrap',
        ['--args', '4', '--', ...prlimit, program, ...args],
        {
          argv0: name,
          cwd: '/',
          env: {},
          // The type allows no number here, but a number passes on that descriptor, as in the first three entries.
          stdio: [warm ? 'pipe' : 'ignore', 'pipe', 'pipe', filter as unknown as 'pipe', options, 'pipe'],
          ...user,
        },
        groups?.open(profile.processes ?? PROCESSES),
      )
    } finally {
      closeSync(filter)
    }
  }
}

/** A proxy that does not exist: without a network namespace, programs could fetch URLs that a file names. */
const NOWHERE = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy'].map((name) => [name, 'http://127.0.0.1:9']),
)

/** The environment of programs without a sandbox. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

/** Paths that programs can read without a sandbox, if the kernel can restrict them: see `through`. */
const READABLE = ['/usr', '/proc', ...BINDS]
// In a sandbox, hidden files do not exist. Here the kernel refuses access, and some programs then fail to start.
const EXPECTED = ['passwd', 'group', 'nsswitch.conf', 'mime.types', 'ssl/openssl.cnf'].map((name) => `/etc/${name}`)
const WRITABLE = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'shm'].map((name) => `/dev/${name}`)

/**
 * Starts programs without a sandbox, but with limits and an environment of their own. Where the kernel supports it,
 * Landlock restricts them to their files, and a filter to harmless system calls. For trusted files only.
 */
export function unisolated({
  limits,
  user,
  groups,
  landlock,
  filters,
}: Omit<LaunchOptions, 'folder' | 'name' | 'sizes'> & { landlock: boolean; filters: Filters | undefined }): Launcher {
  // Landlock forbids neither chmod(2) nor, on older kernels, truncate(2).
  return { shields: user !== undefined, start: startBare, paths: pathsIn }

  function startBare({ program, args, profile = {}, folder, warm }: Command): Running {
    // RLIMIT_NPROC would count all processes of the user here.
    const prlimit = limitsFor(profile, warm ? { ...limits, cpu: 0 } : limits, false)
    const paths = pathsIn(folder)
    const { binds = [], mounts = [] } = profile
    const readable = [...READABLE, ...EXPECTED, ...binds, ...mounts.map(([source]) => source), paths.in]
    const bounds = { landlock, filter: filters?.(profile) }
    const wall = landlock || filters ? through(bounds, readable, [...WRITABLE, paths.out, paths.scratch]) : []
    const [first, ...rest] = [...wall, ...prlimit, program, ...args]
    return start(
      first!,
      rest,
      {
        cwd: paths.scratch,
        env: { ...ENVIRONMENT, HOME: paths.scratch, TMPDIR: paths.scratch, ...NOWHERE, ...profile.env },
        stdio: [warm ? 'pipe' : 'ignore', 'pipe', 'pipe'],
        ...user,
      },
      groups?.open(profile.processes ?? PROCESSES),
    )
  }
}

const pathsIn = (folder: string): Paths => ({
  in: join(folder, 'in'),
  out: join(folder, 'out'),
  scratch: join(folder, 'scratch'),
})
