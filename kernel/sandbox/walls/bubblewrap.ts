import { spawnSync } from 'node:child_process'
import type { Profile } from '../../contract.ts'
import { TRIAL_TIMEOUT_MS } from '../process/process.ts'
import type { EngineUser } from './user.ts'

const MiB = 1024 ** 2

/** Size of each memory file system (tmpfs) in bytes, by mount point. */
export type MemoryFileSystems = Readonly<Record<'/tmp' | '/dev/shm', number>>

/** Returns the sizes for a conversion that may use `memory` bytes. Their files count towards that limit. */
export const memoryFileSystems = (memory: number): MemoryFileSystems => ({
  '/tmp': wholePages(Math.min(512 * MiB, memory / 2)),
  '/dev/shm': wholePages(Math.min(64 * MiB, memory / 4)),
})

const wholePages = (bytes: number) => Math.floor(bytes / 65_536) * 65_536

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
  // After the memory file systems, which would otherwise hide these binds: the checkout may be below /tmp.
  const binds = [...BINDS, ...(profile.binds ?? [])].map((path) => [path, path] as const)
  return [
    // Not --unshare-all: it continues without a user namespace if it cannot create one.
    words('--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try'),
    words('--disable-userns --die-with-parent --uid 1000 --gid 1000 --cap-drop ALL --clearenv'),
    environment.flatMap(([name, value]) => ['--setenv', name, value]),
    words('--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin'),
    words('--symlink usr/lib /lib --symlink usr/lib64 /lib64'),
    ['--ro-bind', `${etc}/passwd`, '/etc/passwd', '--ro-bind', `${etc}/group`, '/etc/group'],
    // Read-only: otherwise the sandbox could change the host's sysctls that belong to no namespace.
    words('--proc /proc --remount-ro /proc'),
    // Not --dev: it has pseudo-terminals. All programs of the machine share their number, and nobody counts their
    // buffers.
    words('--tmpfs /dev'),
    words('null full random urandom').flatMap((name) => device(name, name)),
    // /dev/full reads like /dev/zero but cannot be mapped. A mapping would be memory that belongs to no process.
    device('full', 'zero'),
    words('--symlink /proc/self/fd /dev/fd'),
    words('stdin stdout stderr').flatMap((name, fd) => ['--symlink', `/proc/self/fd/${fd}`, `/dev/${name}`]),
    ['--size', `${sizes['/dev/shm']}`, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--size', `${sizes['/tmp']}`, '--perms', '0700', '--tmpfs', '/tmp'],
    words('--dir /tmp/home --perms 0700 --dir /tmp/run'),
    [...binds, ...(profile.mounts ?? [])].flatMap(([source, place]) => ['--ro-bind-try', source, place]),
    ['--ro-bind', `${folder}/in`, '/in', '--bind', `${folder}/out`, '/out', '--bind', `${folder}/scratch`, '/scratch'],
    words('--chdir /scratch --remount-ro /'),
  ].flat()
}

const words = (text: string) => text.split(' ')
const device = (name: string, place: string) => ['--dev-bind', `/dev/${name}`, `/dev/${place}`]

/** Options of bwrap that give a sandbox a host name of its own. */
const HOSTNAME = ['--hostname', 'sandbox']

/**
 * Returns the options of bwrap that hide the machine's host name, or none where that is forbidden: Podman allows new
 * namespaces, but not to set their host name. In a container, programs then see the container's.
 */
export function hostnameOptions(user: EngineUser | undefined): readonly string[] {
  const trial = ['--unshare-user', '--unshare-uts', ...HOSTNAME, '--ro-bind', '/', '/', '/usr/bin/true']
  const options = { ...user, cwd: '/', env: {}, encoding: 'utf8', timeout: TRIAL_TIMEOUT_MS } as const
  return `${spawnSync('/usr/bin/bwrap', trial, options).stderr}`.includes("Can't set hostname") ? [] : HOSTNAME
}
