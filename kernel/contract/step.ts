import type { Engine } from './engine.ts'
import type { Args, Job } from './job.ts'

/**
 * One step of a route. It reads what the step before it wrote (the first one reads the source) and writes a file for
 * the next step. The last step that runs writes the result.
 */
export type Step<Options extends object = any> = StepPlace<Options> & StepWork<Options>

/** When a step runs, and where its files are. */
export interface StepPlace<Options extends object = any> {
  engine: Engine
  /** Features that this build of the engine must list. */
  needs?: readonly string[]
  /** The other engines that `convert` may run, or that the engine runs by itself. */
  uses?: readonly Engine[]
  /** The step is left out unless this holds. Default: it always runs. */
  when?: Condition<Options>
  /**
   * Reads the source (`source`), what an earlier step wrote under this name, or the folder in which it did (`pages/`).
   * Default: what was written last.
   */
  input?: string
  /**
   * Name of what it writes when a later step follows that writes: a file (`page.html`), one file a page
   * (`page-%03d.svg`, numbered from 001), or a folder (`pages/`). A folder, also the one before a file's name, is made
   * first; in it, the name may be the start of names that the engine makes up (`pages/page`). `{from}` and `{to}` are the
   * job's extensions. False: the step writes no file of its own; it looks at its input, changes it in place, or removes
   * what earlier steps left. Default: only the last step may have none.
   */
  output?: string | false
  /** Runs once for every page: its input is one file a page. Default: once. */
  each?: 'page'
  /** When the engine refuses the file, the conversion goes on as if the step had been left out. Default false. */
  optional?: boolean
}

export type StepWork<Options extends object = any> =
  | {
      /** The arguments. Pure: they depend on the job and on what is known by then. Default: none. */
      args?: (job: Job<Options>, now: StepState) => Args
      /**
       * What the step has found out, by the lines that it printed. Pure. What it throws ends the route, also where the
       * step is optional.
       */
      facts?: (lines: readonly string[], job: Job<Options>, now: StepState) => Partial<Facts>
    }
  | {
      /** For what must be decided while running: how often an engine runs, or which one. Resolves to new facts. */
      convert: (job: Job<Options>, run: Run, now: StepState) => Promise<Partial<Facts> | undefined>
    }

/** What a step knows when it runs. Runs of its engine have these files, not the job's, unless they name others. */
export interface StepState {
  /** The sandbox's own path of what the step reads. */
  readonly input: string
  /** The sandbox's own path of what it writes. Equal to `input` for a step without an output. */
  readonly output: string
  /** Paths of all that it reads: one file a page where the input was written so, otherwise the input alone. */
  readonly inputs: readonly string[]
  readonly facts: Facts
  /** The page that it is about; the first one for a step that runs once. */
  readonly page: Page
  /** Number of that page, from 1. */
  readonly number: number
}

/** What can decide whether a step runs. All that is named must hold. */
export interface Condition<Options extends object = any> {
  /** Sources. */
  from?: readonly string[]
  /** Targets. */
  to?: readonly string[]
  /** Values of options, such as `{ metadata: ['remove'] }`: any of the list; undefined in it: the option is not given. */
  options?: { readonly [Key in keyof Options]?: readonly (Options[Key] | undefined)[] }
  /** Whether the source has one page or several, as an earlier step found. */
  pages?: 'one' | 'several'
  /** Whether the source is an animation, as an earlier step found. */
  moving?: boolean
  /** Values of `facts.more`, such as `{ ink: [true] }`: any of the list; undefined in it: no step told it. */
  more?: { readonly [name: string]: readonly unknown[] }
  /** An output of an earlier step: it is there unless the step was left out or, being optional, refused the file. */
  written?: string
  /** Another condition that must not hold. */
  not?: Condition<Options>
}

/** What the steps of a job have found out so far. */
export interface Facts {
  /** The source's pages in order. Before a step says more, there is one, of which nothing is known. */
  readonly pages: readonly Page[]
  /** Whether the source is an animation. Before a step says more: false. */
  readonly moving: boolean
  /** Whatever else the steps of one plugin tell each other, by name. What a later step tells is added. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** One page, or one picture of several. */
export interface Page {
  /** Pixels. */
  readonly width?: number
  readonly height?: number
  /** Whether anything on it is transparent. */
  readonly alpha?: boolean
  /** Whatever else the steps of one plugin tell each other. */
  readonly more?: unknown
}

/**
 * Runs an engine in the job's sandbox and resolves to the last lines that it printed (at most 200).
 * `files` points it at another input or output than the job's own, inside the sandbox.
 * Rejects when the engine fails, is stopped by a limit, or the job's signal aborts.
 */
export type Run = (engine: Engine, args: Args, files?: { input?: string; output?: string }) => Promise<string[]>
