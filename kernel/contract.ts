/**
 * The contract between the kernel, its plugins and its engines.
 *
 * Types only: importing this file runs nothing. A plugin or an engine is a plain
 * object that satisfies one of these interfaces, so it can live in this tree or in
 * an npm package, in TypeScript or in JavaScript.
 */

import type { Format } from './format.ts'

export type { Format, Look, Recogniser, Refusal, Signature, Source, Verdict } from './format.ts'

/** What a job asks for: another format, or the same format made better. */
export type Intent = 'convert' | 'transform'

/** JSON Schema (2020-12) of one option, with what the schema language cannot say. */
export interface OptionSchema {
  type: 'integer' | 'number' | 'string' | 'boolean'
  /** One sentence for people, with the unit. */
  description: string
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  default?: unknown
  /** Defaults that differ by target. */
  defaults?: Readonly<Record<string, unknown>>
  /** Whether the plugin applies the default itself, so that a job shows what was asked for. Default: it is filled in. */
  implied?: true
  /** Targets where the option has an effect; on the others it is accepted and ignored. Default: all. */
  effect?: readonly string[]
}

/** Options that contradict each other or the target: a JSON Schema that must not match. */
export interface OptionRule {
  /** Targets that the rule is about. Default: all of the category. */
  to?: readonly string[]
  /** Options objects that fit this schema are refused with `INVALID_OPTIONS`. */
  forbid: object
  /** One sentence for the client: which keys, and what would work. */
  message: string
}

/** One category of target formats. */
export interface Plugin<Options extends object = any> {
  /** The category served, and the plugin's name in the configuration. */
  category: string
  /** The category's formats, by canonical extension (lower case). */
  formats: Readonly<Record<string, Format>>
  /** Options accepted when the target is a format of this category. */
  options: { readonly [Key in keyof Required<Options>]: OptionSchema }
  /** Combinations of options that are refused. Default: none. */
  rules?: readonly OptionRule[]
  /** Targets that people want from sources of this category, most wanted first. */
  wanted?: readonly string[]
  /** How targets of this category are made. For one pair, the first usable route wins. */
  routes: readonly Route<Options>[]
  /** Whether a job waits in the heavy lane. Size in bytes. Default: never. */
  heavy?: (job: { from: string; to: string; intent: Intent; size: number; options: Options }) => boolean
}

/** A family of pairs, and the way to make them. */
export type Route<Options extends object = any> = Pairs & Method<Options>

/** Every `from` to every other `to`, or each format to itself. */
export type Pairs = { from: readonly string[]; to: readonly string[] } | { transform: readonly string[] }

export type Method<Options extends object = any> =
  | {
      /** One run of one engine. Pure: the arguments depend on the job alone. */
      engine: Engine
      /** Features that this build of the engine must list. */
      needs?: readonly string[]
      args: (job: Job<Options>) => Args
    }
  | {
      /** Several runs in one sandbox. The engine named here is the one that the catalogue shows. */
      engine: Engine
      needs?: readonly string[]
      /** The other engines that `convert` may run. */
      uses?: readonly Engine[]
      convert: (job: Job<Options>, run: Run) => Promise<void>
    }
  /** Two direct routes joined at one intermediate format. */
  | { via: string }

/** One conversion, as a plugin sees it. All paths are the sandbox's own. */
export interface Job<Options extends object = any> {
  readonly from: string
  readonly to: string
  readonly intent: Intent
  /** The source, read-only: `/in/file.<from>`. */
  readonly input: string
  /** Where the result must be when the job ends: `/out/file.<to>`. */
  readonly output: string
  /** Where a zip of pages must be instead, when one page a file gave more than one: `/out/pages.zip`. */
  readonly pages: string
  /** A folder on disk for intermediates, deleted with the job: `/scratch`. */
  readonly scratch: string
  /** Stem of the download's name: 1 to 100 characters, without control characters and path separators. */
  readonly name: string
  /** Bytes of the source. */
  readonly size: number
  /** Validated, with defaults applied. */
  readonly options: Options
  readonly signal: AbortSignal
}

/** Command-line arguments. Falsy entries but 0 are dropped, nested lists are spliced. */
export type Args = readonly (string | number | false | null | undefined | Args)[]

/**
 * Runs an engine in the job's sandbox and resolves to the last lines that it printed (at most 200).
 * `files` points it at another input or output than the job's own, inside the sandbox.
 * Rejects when the engine fails, is stopped by a limit, or the job's signal aborts.
 */
export type Run = (engine: Engine, args: Args, files?: { input?: string; output?: string }) => Promise<string[]>

/** Why a conversion ended without a result, as a client reads it. */
export type FailureCode =
  | 'CONVERSION_ERROR'
  | 'TIMEOUT'
  | 'RESOURCE_LIMIT'
  | 'CANCELLED'
  | 'ENCRYPTED_INPUT'
  | 'INTERNAL_SERVER_ERROR'

/**
 * A failure that is worth telling apart. An engine's `reason` returns it; a plugin's `convert` may throw an
 * `Error` with this `code`. The message is one sentence without paths.
 */
export interface Failure {
  code: FailureCode
  message: string
}

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

/**
 * What a plugin package may export instead of a plugin, to receive its settings and the engines that ship. A package that
 * takes settings also exports `settings`, a JSON Schema (2020-12) of type object: what an operator writes is checked
 * by it at the start, with its defaults filled in. Keys that it does not name are refused.
 */
export type PluginFactory = (host: {
  settings: unknown
  engines: Readonly<Record<string, Engine>>
}) => Plugin | Promise<Plugin>
