import type { Args, Failure, Job } from './job.ts'

/** An external program: how to find it, call it and read its output. */
export interface Engine {
  /** Name in the configuration, in logs and in error messages. */
  name: string
  /** Executables to look for in the system folders, or absolute paths. The first one found is used. */
  binary: readonly string[]
  /** Arguments that print the version. */
  version: readonly string[]
  /** Debian package that contains it, for `doctor`. */
  package?: string
  /** Arguments that list the features of this build. A route's `needs` must occur in the output as words. */
  features?: readonly string[]
  /** Combines a route's arguments with input and output. Put quiet and safety flags here. */
  argv: (job: Job, args: readonly string[]) => Args
  /** Returns a function that reads output lines and returns the fraction done, 0 to 1. */
  progress?: () => (line: string) => number | undefined
  /** Extracts an error message for the client from the last lines. Default: a neutral sentence. */
  reason?: (lines: readonly string[]) => string | Failure | undefined
  /** What the program needs beyond the default sandbox. */
  sandbox?: Profile
  /**
   * How to start it before its job is known. The process prints a line `ready`. It then reads one JSON array of
   * arguments per line (what `argv` returned) and answers each with lines. The last line is `{"done":true}` or
   * `{"error":{"code":…,"message":…}}`. Without a pool, the process is started for one job and uses the same protocol.
   */
  warm?: {
    argv: Args
    /** Jobs that one process runs, for one owner, before it is replaced. */
    jobs: number
    /**
     * Bytes of memory that a booted process uses, without pages of files: the size that it is assumed to have until it
     * was measured. Default: 100 MiB.
     */
    memory?: number
  }
}

/** Additions to a program's default sandbox. */
export interface Profile {
  /** Host files and folders bound read-only at the same path. Missing ones are skipped. */
  binds?: readonly string[]
  /** Host files and folders bound read-only at another path: source, then target. */
  mounts?: readonly (readonly [string, string])[]
  /** Environment variables in addition to PATH, HOME, TMPDIR, LANG and TZ. */
  env?: Readonly<Record<string, string>>
  /** Bytes of address space for one process (RLIMIT_AS); 0: no limit. Default 4 GiB. */
  addressSpace?: number
  /** Maximum number of processes and threads (RLIMIT_NPROC). Default 64. */
  processes?: number
  /** Whether AF_UNIX sockets, and passing open files through them, are allowed. Default false. */
  unixSockets?: boolean
}
