import type { Profile } from '../contract.ts'

const MiB = 1024 ** 2

/** What bounds every process of a sandbox by itself; what bounds all of them together is the watchdog's. */
export interface ProcessLimits {
  /** Seconds of CPU (RLIMIT_CPU); 0 for no bound. */
  cpu: number
  /** Bytes of one file (RLIMIT_FSIZE). */
  fileSize: number
}

/** Bytes of the file systems in memory, by their place. */
export type MemoryFileSystems = Readonly<Record<'/tmp' | '/dev/shm', number>>

/** How large they are where a conversion may use so many bytes of memory, to which their content counts. */
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
 * Files of the machine that programs need besides /usr. Without the fontconfig cache a program that draws text reads
 * every font first: a second or more.
 */
export const BINDS = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig']

/**
 * The options of bwrap(1) for one run: new namespaces of every kind without a network, no capabilities, an empty
 * environment, and a file tree of /usr, a few files of /etc, the profile's binds and the job's three folders. All of
 * it is read-only but /out, /scratch and two bounded memory file systems. Pure.
 *
 * Without --new-session, since bwrap has to be started in a session of its own: were only its child in another one,
 * a signal to bwrap's process group while it starts would leave that child behind.
 *
 * @param folder host path of the job's folder, with `in`, `out` and `scratch` in it
 * @param etc host path of a folder with the `passwd` and `group` that the sandbox sees
 */
export function argumentsFor(
  profile: Profile,
  folder: string,
  etc: string,
  sizes: MemoryFileSystems = memoryFileSystems(Number.POSITIVE_INFINITY),
): string[] {
  const environment = Object.entries({ ...ENVIRONMENT, ...profile.env })
  return [
    // --unshare-all only tries to make a user namespace; here it must succeed.
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--disable-userns', '--die-with-parent', '--hostname', 'sandbox'],
    ...['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--clearenv'],
    ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...['--ro-bind', `${etc}/passwd`, '/etc/passwd', '--ro-bind', `${etc}/group`, '/etc/group'],
    // Read-only, or the few settings of /proc/sys that belong to no namespace are the host's to change.
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    // Reads as /dev/zero does, but cannot be mapped: that would be memory which belongs to no process.
    ...['--dev', '/dev', '--dev-bind', '/dev/full', '/dev/zero'],
    ...['--size', `${sizes['/dev/shm']}`, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', `${sizes['/tmp']}`, '--perms', '0700', '--tmpfs', '/tmp'],
    ...['--dir', '/tmp/home', '--perms', '0700', '--dir', '/tmp/run'],
    // After the memory file systems, which would hide them: the checkout may lie below /tmp.
    ...[...BINDS, ...(profile.binds ?? [])].flatMap((path) => ['--ro-bind-try', path, path]),
    ...(profile.mounts ?? []).flatMap(([source, place]) => ['--ro-bind-try', source, place]),
    ...['--ro-bind', `${folder}/in`, '/in', '--bind', `${folder}/out`, '/out'],
    ...['--bind', `${folder}/scratch`, '/scratch', '--chdir', '/scratch', '--remount-ro', '/'],
  ]
}

/** Processes and threads that a program may have whose profile says nothing else. */
export const PROCESSES = 64

/**
 * The prlimit(1) command in front of a program. It must run inside the sandbox: RLIMIT_NPROC counts by user namespace,
 * so each sandbox has its own count only there. With `processes: false` for use outside a sandbox.
 */
export function limitsFor(profile: Profile, limits: ProcessLimits, processes = true): string[] {
  const { addressSpace = 4096 * MiB, processes: count = PROCESSES } = profile
  return [
    '/usr/bin/prlimit',
    '--core=0:0',
    '--nofile=1024:1024',
    // No real-time priority, no message queues in memory; signals and timers that wait are few.
    ...['--rtprio=0:0', '--nice=0:0', '--msgqueue=0:0', '--sigpending=256:256'],
    `--fsize=${limits.fileSize}:${limits.fileSize}`,
    // SIGXCPU at the first bound tells a CPU limit from a kill; SIGKILL at the second is for those that ignore it.
    ...(limits.cpu ? [`--cpu=${limits.cpu}:${limits.cpu + 5}`] : []),
    ...(processes ? [`--nproc=${count}:${count}`] : []),
    ...(addressSpace ? [`--as=${addressSpace}:${addressSpace}`] : []),
    '--',
  ]
}
