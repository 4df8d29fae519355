import type { Engine } from './engine.ts'
import type { AnyOptions, Args, Job } from './job.ts'
import type { Measures } from './report.ts'

/** Facts that are shared through `facts.more`, of a plugin that does not declare their type. */
// biome-ignore lint/suspicious/noExplicitAny: steps of different routes know different ones.
export type AnyMore = any

/**
 * One step of a route. It reads the output of the step before it (the first step reads the source) and writes a file
 * for the next step. The last step that runs writes the result.
 *
 * `More` names the facts that the steps of a route share through `facts.more`.
 */
export type Step<Options extends object = AnyOptions, More extends object = AnyMore> = StepPlace<Options, More> &
  StepWork<Options, More>

/** The conditions, input and output of a step. */
export interface StepPlace<Options extends object = AnyOptions, More extends object = AnyMore> {
  engine: Engine
  /** Features that this build of the engine must list. */
  needs?: readonly string[]
  /** Other engines that `convert` may run, or that the engine itself runs. */
  uses?: readonly Engine[]
  /** Condition to run the step. Default: it always runs. */
  when?: Condition<Options, More>
  /**
   * What the step reads: the source (`source`), an earlier step's output by its name, or the folder of that output
   * (`pages/`). Default: the latest output.
   */
  input?: string
  /**
   * Name of the output, used if a later step writes too: a file (`page.html`), one file per page (`page-%03d.svg`,
   * numbered from 001), or a folder (`pages/`). Folders in the name are created first. Inside a folder, the name may be
   * a prefix for names that the engine chooses (`pages/page`). `{from}` and `{to}` are the job's extensions. False: the
   * step writes no file of its own; it inspects its input, changes it in place, or removes files of earlier steps. Only
   * the last step may omit this.
   */
  output?: string | false
  /** Runs once per page; its input is one file per page. Default: runs once. */
  each?: 'page'
  /** If the engine refuses the file, the conversion continues as if the step had been skipped. Default false. */
  optional?: boolean
  /**
   * Condition under which the step is work for the heavy lane; `{}`: always. If it holds in a light job, the step does
   * not run: the job waits again, as a heavy one, and begins anew. Default: never.
   */
  heavy?: Condition<Options, More>
}

export type StepWork<Options extends object = AnyOptions, More extends object = AnyMore> =
  | {
      /** Returns the engine's arguments. Pure: depends only on the job and the state. Default: none. */
      args?: (job: Job<Options>, now: StepState<More>) => Args
      /**
       * Returns the facts found in the lines that the engine printed. Pure. If it throws, the route ends, even if the
       * step is optional.
       */
      facts?: (lines: readonly string[], job: Job<Options>, now: StepState<More>) => Partial<Facts<More>>
    }
  | {
      /** Decides at run time which engines run, and how often. Resolves to new facts. */
      convert: (job: Job<Options>, run: Run, now: StepState<More>) => Promise<Partial<Facts<More>> | undefined>
    }

/** The state when a step runs. Its engine uses these files, not the job's, unless a run names others. */
export interface StepState<More extends object = AnyMore> {
  /** Path of the step's input inside the sandbox. */
  readonly input: string
  /** Path of the step's output inside the sandbox. Equal to `input` for a step without an output. */
  readonly output: string
  /** Paths of all inputs: one file per page if an earlier step wrote it so, otherwise only `input`. */
  readonly inputs: readonly string[]
  readonly facts: Facts<More>
  /** The current page; the first page for a step that runs once. */
  readonly page: Page
  /** Number of that page, from 1. */
  readonly number: number
}

/** Condition for a step. All given parts must hold. */
export interface Condition<Options extends object = AnyOptions, More extends object = AnyMore> {
  /** Source formats. */
  from?: readonly string[]
  /** Target formats. */
  to?: readonly string[]
  /** Allowed values per option, such as `{ metadata: ['remove'] }`. Undefined in the list matches a missing option. */
  options?: { readonly [Key in keyof Options]?: readonly (Options[Key] | undefined)[] }
  /** Whether the source has one page or several, as an earlier step found. */
  pages?: 'one' | 'several'
  /** Whether the source is an animation, as an earlier step found. */
  moving?: boolean
  /** Allowed values of `facts.more`, such as `{ ink: [true] }`. Undefined in the list matches a missing fact. */
  more?: { readonly [Name in keyof More]?: readonly (More[Name] | undefined)[] }
  /** Output name of an earlier step. It exists unless that step was skipped, or was optional and refused the file. */
  written?: string
  /** Another condition that must not hold. */
  not?: Condition<Options, More>
}

/** Facts that the steps of a job have found so far. */
export interface Facts<More extends object = AnyMore> {
  /** The pages of the source in order. Until a step reports them: one page without properties. */
  readonly pages: readonly Page[]
  /** Whether the source is an animation. Until a step reports it: false. */
  readonly moving: boolean
  /** Other facts that the steps of one plugin share, by name. Later steps add to them. */
  readonly more?: Readonly<Partial<More>>
  /** For the report: what is known of the source and of the result. Later steps add to it. */
  readonly source?: Measures
  readonly result?: Measures
}

/** One page, or one image of several. */
export interface Page {
  /** Pixels. */
  readonly width?: number
  readonly height?: number
  /** Whether anything on the page is transparent. */
  readonly alpha?: boolean
  /** Other data that the steps of one plugin share. */
  readonly more?: unknown
}

/**
 * Runs an engine in the job's sandbox. Resolves to the last lines that it printed (at most 200).
 * `files` replaces the job's input or output with other paths inside the sandbox.
 * Rejects if the engine fails, a limit stops it, or the job's signal aborts.
 */
export type Run = (engine: Engine, args: Args, files?: { input?: string; output?: string }) => Promise<string[]>
