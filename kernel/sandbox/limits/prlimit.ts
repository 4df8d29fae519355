import type { Profile } from '../../contract.ts'

/** Limits of each single process in a sandbox. The watchdog limits all of them together. */
export interface ProcessLimits {
  /** Seconds of CPU (RLIMIT_CPU); 0 for no limit. */
  cpu: number
  /** Maximum bytes of one file (RLIMIT_FSIZE). */
  fileSize: number
}

/** Default maximum of processes and threads of a program. */
export const PROCESSES = 64

/**
 * Returns the prlimit(1) command to put in front of a program. It must run inside the sandbox: RLIMIT_NPROC counts per
 * user namespace, so only there each sandbox has its own count. Outside a sandbox, pass `processes: false`.
 */
export function limitsFor(profile: Profile, limits: ProcessLimits, processes = true): string[] {
  const { addressSpace = 4 * 1024 ** 3, processes: count = PROCESSES } = profile
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
