import type { Args, Failure, Job } from './job.ts'

/** An external program: how to find it, call it and read what it says. */
export interface Engine {
  /** Its name in the configuration, in logs and in error messages. */
  name: string
  /** Executables to look for in the system folders, or absolute paths; the first found is used. */
  binary: readonly string[]
  /** Arguments that print the version. */
  version: readonly string[]
  /** Debian package that brings it, for `doctor`. */
  package?: string
  /** Arguments that list what this build can do; a route's `needs` are looked up there as words. */
  features?: readonly string[]
  /** Places a route's arguments around input and output: quiet and safety flags belong here. */
  argv: (job: Job, args: readonly string[]) => Args
  /** Makes a reader of output lines that returns the fraction done, 0 to 1. */
  progress?: () => (line: string) => number | undefined
  /** Picks from the last lines what tells a client what is wrong. Default: a neutral sentence. */
  reason?: (lines: readonly string[]) => string | Failure | undefined
  /** What the program needs beyond the least. */
  sandbox?: Profile
  /**
   * How to start it before its job is known. The process prints a line `ready`, then reads one JSON array of
   * arguments a line (what `argv` returned) and answers each with lines, the last of them `{"done":true}` or
   * `{"error":{"code":…,"message":…}}`. Without a pool it is started for one job and spoken to in the same way.
   */
  warm?: { argv: Args /** Jobs that one process serves, for one owner, before it is replaced. */; jobs: number }
}

/** What a program's sandbox has beyond the least. */
export interface Profile {
  /** Host files and folders bound read-only at the same path. Missing ones are skipped. */
  binds?: readonly string[]
  /** Host files and folders bound read-only at another path: source, then place. */
  mounts?: readonly (readonly [string, string])[]
  /** Environment beyond PATH, HOME, TMPDIR, LANG and TZ. */
  env?: Readonly<Record<string, string>>
  /** Bytes of address space for one process (RLIMIT_AS); 0 for no bound. Default 4 GiB. */
  addressSpace?: number
  /** Processes and threads (RLIMIT_NPROC). Default 64. */
  processes?: number
  /** Whether sockets of the family AF_UNIX are allowed. Default false. */
  unixSockets?: boolean
}
