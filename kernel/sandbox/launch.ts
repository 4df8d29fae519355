import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../contract.ts'
import { argumentsFor, BINDS, limitsFor, type MemoryFileSystems, PROCESSES, type ProcessLimits } from './bubblewrap.ts'
import type { Groups } from './cgroup.ts'
import { type Filters, writeFilters, writeForEngines } from './filters.ts'
import { through } from './landlock.ts'
import { INFORMATION, type Running, start } from './process.ts'
import type { EngineUser } from './user.ts'

/** One program to start. */
export interface Command {
  /** Absolute path. */
  program: string
  args: readonly string[]
  profile?: Profile | undefined
  /** Host path of the job's folder. */
  folder: string
  /** Whether it serves several jobs: its standard input stays open, and wall time alone bounds its CPU use. */
  warm?: boolean
}

/** The folders of a job, as the program sees them. */
export interface Paths {
  in: string
  out: string
  scratch: string
}

/** The way in which programs are started. */
export interface Launcher {
  /** Whether programs cannot change what is in `in`, even if it belongs to the user that they run as. */
  readonly shields: boolean
  start(command: Command): Running
  paths(folder: string): Paths
}

export interface LaunchOptions {
  /** Folder of what every sandbox needs. */
  folder: string
  limits: ProcessLimits
  /** The file systems in memory that a sandbox has. */
  sizes: MemoryFileSystems
  user: EngineUser | undefined
  /** Where the memory of each program can have a bound by the kernel. */
  groups?: Groups | undefined
  /** What bwrap is called in process lists. */
  name: string
}

/** Starts programs in bubblewrap. Writes what each run needs into `folder` first. */
export async function bubblewrap({ folder, limits, sizes, user, groups, name }: LaunchOptions): Promise<Launcher> {
  const filters = await writeFilters(folder, user)
  const files = {
    [join(folder, 'passwd')]: 'user:x:1000:1000::/tmp/home:/usr/sbin/nologin\n',
    [join(folder, 'group')]: 'user:x:1000:\n',
  }
  await Promise.all(Object.entries(files).map(([path, content]) => writeForEngines(path, content, user)))
  return { shields: true, start: startSandboxed, paths: () => ({ in: '/in', out: '/out', scratch: '/scratch' }) }

  function startSandboxed({ program, args, profile = {}, folder: job, warm }: Command): Running {
    const own = limitsFor(profile, warm ? { ...limits, cpu: 0 } : limits)
    // In a descriptor and not on the command line, which the sandbox can read at /proc/1/cmdline.
    const options = Buffer.from(
      [...argumentsFor(profile, job, folder, sizes), '--seccomp', '3', '--info-fd', `${INFORMATION}`, ''].join('\0'),
    )
    const filter = openSync(filters(profile), 'r')
    try {
      return start(
        '/usr/bin/bwrap',
        ['--args', '4', '--', ...own, program, ...args],
        {
          argv0: name,
          cwd: '/',
          env: {},
          // The type knows no number here, which hands a descriptor on as it does in the first three places.
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

/** A proxy that is not there, for programs that would fetch what a file names: there is no namespace to stop them. */
const NOWHERE = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy'].map((name) => [name, 'http://127.0.0.1:9']),
)

/** What programs reach without a sandbox, where the kernel can bind them: see `through`. */
const READABLE = ['/usr', '/proc', ...BINDS]
// What a sandbox hides is missing there; here it is refused, and some programs do not start then.
const EXPECTED = ['passwd', 'group', 'nsswitch.conf', 'mime.types', 'ssl/openssl.cnf'].map((name) => `/etc/${name}`)
const WRITABLE = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'shm'].map((name) => `/dev/${name}`)

/**
 * Starts programs with limits and an environment of their own, bound to their files by Landlock and to harmless system
 * calls by a filter where the kernel has them, but in no sandbox. For trusted files only.
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
    const own = limitsFor(profile, warm ? { ...limits, cpu: 0 } : limits, false)
    const paths = pathsIn(folder)
    const { binds = [], mounts = [] } = profile
    const readable = [...READABLE, ...EXPECTED, ...binds, ...mounts.map(([source]) => source), paths.in]
    const bounds = { landlock, filter: filters?.(profile) }
    const wall = landlock || filters ? through(bounds, readable, [...WRITABLE, paths.out, paths.scratch]) : []
    const [first, ...rest] = [...wall, ...own, program, ...args]
    return start(
      first!,
      rest,
      {
        cwd: paths.scratch,
        env: {
          PATH: '/usr/bin:/bin',
          HOME: paths.scratch,
          TMPDIR: paths.scratch,
          LANG: 'C.UTF-8',
          TZ: 'UTC',
          ...NOWHERE,
          ...profile.env,
        },
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
