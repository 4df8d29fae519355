import type { Profile } from '../contract.ts'

const MiB = 1024 ** 2

/** Limits of each single process in a sandbox. The watchdog limits all of them together. */
export interface ProcessLimits {
  /** Seconds of CPU (RLIMIT_CPU); 0 for no limit. */
  cpu: number
  /** Maximum bytes of one file (RLIMIT_FSIZE). */
  fileSize: number
}

/** Size of each memory file system (tmpfs) in bytes, by mount point. */
export type MemoryFileSystems = Readonly<Record<'/tmp' | '/dev/shm', number>>

/** Returns the sizes for a conversion that may use `memory` bytes. Their files count towards that limit. */
export const memoryFileSystems = (memory: number): MemoryFileSystems => ({
  '/tmp': pages(Math.min(512 * MiB, memory / 2)),
  '/dev/shm': pages(Math.min(64 * MiB, memory / 4)),
})

const pages = (bytes: number) => Math.floor(bytes / 65_536) * 65_536

const ENVIRONMENT = {
  PATH: '/usr/bin',
  HOME: '/tmp/home',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  XDG_RUNTIME_DIR: '/tmp/run',
  XDG_CACHE_HOME: '/tmp/home/.cache',
  XDG_CONFIG_HOME: '/tmp/home/.config',
}

/**
 * Files of the machine that programs need besides /usr. Without the fontconfig cache, a program that draws text first
 * reads every font, which takes a second or more.
 */
export const BINDS = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig']

/**
 * Returns the bwrap(1) options for one run: new namespaces of every kind, no network, no capabilities and a small fixed
 * environment. The file tree has /usr, a few files of /etc, the profile's binds and the job's three folders. It is
 * read-only except for /out, /scratch and two memory file systems of limited size. Pure.
 *
 * Omits --new-session: the caller must start bwrap in its own session. With --new-session only bwrap's child would
 * change session, and a signal to bwrap's process group during start-up would miss that child.
 *
 * @param folder host path of the job's folder, which contains `in`, `out` and `scratch`
 * @param etc host path of a folder with the `passwd` and `group` files for the sandbox
 */
export function argumentsFor(
  profile: Profile,
  folder: string,
  etc: string,
  sizes: MemoryFileSystems = memoryFileSystems(Number.POSITIVE_INFINITY),
): string[] {
  const environment = Object.entries({ ...ENVIRONMENT, ...profile.env })
  return [
    // Not --unshare-all: it continues without a user namespace if it cannot create one.
    '--unshare-user',
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--disable-userns',
    '--die-with-parent',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--cap-drop',
    'ALL',
    '--clearenv',
    ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
    '--ro-bind',
    '/usr',
    '/usr',
    '--symlink',
    'usr/bin',
    '/bin',
    '--symlink',
    'usr/sbin',
    '/sbin',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--ro-bind',
    `${etc}/passwd`,
    '/etc/passwd',
    '--ro-bind',
    `${etc}/group`,
    '/etc/group',
    // Read-only: otherwise the sandbox could change the host's sysctls that belong to no namespace.
    '--proc',
    '/proc',
    '--remount-ro',
    '/proc',
    // Not --dev: it has pseudo-terminals. All programs of the machine share their number, and nobody counts their
    // buffers.
    '--tmpfs',
    '/dev',
    ...['null', 'full', 'random', 'urandom'].flatMap((name) => device(name, name)),
    // /dev/full reads like /dev/zero but cannot be mapped. A mapping would be memory that belongs to no process.
    ...device('full', 'zero'),
    '--symlink',
    '/proc/self/fd',
    '/dev/fd',
    ...['stdin', 'stdout', 'stderr'].flatMap((name, fd) => ['--symlink', `/proc/self/fd/${fd}`, `/dev/${name}`]),
    '--size',
    `${sizes['/dev/shm']}`,
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--size',
    `${sizes['/tmp']}`,
    '--perms',
    '0700',
    '--tmpfs',
    '/tmp',
    '--dir',
    '/tmp/home',
    '--perms',
    '0700',
    '--dir',
    '/tmp/run',
    // After the memory file systems, which would otherwise hide these binds: the checkout may be below /tmp.
    ...[...BINDS, ...(profile.binds ?? [])].flatMap((path) => ['--ro-bind-try', path, path]),
    ...(profile.mounts ?? []).flatMap(([source, place]) => ['--ro-bind-try', source, place]),
    '--ro-bind',
    `${folder}/in`,
    '/in',
    '--bind',
    `${folder}/out`,
    '/out',
    '--bind',
    `${folder}/scratch`,
    '/scratch',
    '--chdir',
    '/scratch',
    '--remount-ro',
    '/',
  ]
}

const device = (name: string, place: string) => ['--dev-bind', `/dev/${name}`, `/dev/${place}`]

/** Default maximum of processes and threads of a program. */
export const PROCESSES = 64

/**
 * Returns the prlimit(1) command to put in front of a program. It must run inside the sandbox: RLIMIT_NPROC counts per
 * user namespace, so only there each sandbox has its own count. Outside a sandbox, pass `processes: false`.
 */
export function limitsFor(profile: Profile, limits: ProcessLimits, processes = true): string[] {
  const { addressSpace = 4096 * MiB, processes: count = PROCESSES } = profile
  return [
    '/usr/bin/prlimit',
    '--core=0:0',
    '--nofile=1024:1024',
    // No real-time priority, no POSIX message queues, and few pending signals and timers.
    '--rtprio=0:0',
    '--nice=0:0',
    '--msgqueue=0:0',
    '--sigpending=256:256',
    `--fsize=${limits.fileSize}:${limits.fileSize}`,
    // SIGXCPU at the soft limit tells a CPU limit from a kill. SIGKILL at the hard limit ends those that ignore it.
    ...(limits.cpu ? [`--cpu=${limits.cpu}:${limits.cpu + 5}`] : []),
    ...(processes ? [`--nproc=${count}:${count}`] : []),
    ...(addressSpace ? [`--as=${addressSpace}:${addressSpace}`] : []),
    '--',
  ]
}
