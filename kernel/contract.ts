/**
 * The contract between the kernel, its plugins and its engines.
 *
 * Types only: importing this file runs nothing. A plugin or an engine is a plain
 * object that satisfies one of these interfaces. It can live in this repository or
 * in an npm package, in TypeScript or in JavaScript.
 */

import type { Engine } from './contract/engine.ts'
import type { Format } from './contract/format.ts'
import type { AnyOptions, Args, Job } from './contract/job.ts'
import type { LossKind } from './contract/report.ts'
import type { Condition, Facts, Run, Step } from './contract/step.ts'

export type { Engine, Profile } from './contract/engine.ts'
export type { Format, Look, Recogniser, Refusal, Signature, Source, Verdict } from './contract/format.ts'
export type { Args, Failure, FailureCode, Intent, Job } from './contract/job.ts'
export type { LossKind, Measures } from './contract/report.ts'
export type { Condition, Facts, Page, Run, Step, StepPlace, StepState, StepWork } from './contract/step.ts'

/** JSON Schema (2020-12) of one option, with additions that JSON Schema cannot express. */
export interface OptionSchema {
  type: 'integer' | 'number' | 'string' | 'boolean'
  /** Two or three words: the label of its field. Default: its key. */
  title?: string
  /** Symbol of the unit, such as `kbit/s`. Default: it has none. */
  unit?: string
  /** One sentence for people, with the unit. */
  description: string
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  default?: unknown
  /** Defaults that differ by target. */
  defaults?: Readonly<Record<string, unknown>>
  /** The plugin applies the default itself and sees only what the client set. Default: the service fills it in. */
  implied?: true
  /** Targets for which the option has an effect. The others accept and ignore it. Default: all. */
  effect?: readonly string[]
}

/** Options that contradict each other or the target: a JSON Schema that must not match. */
export interface OptionRule {
  /** Targets that the rule applies to. Default: all of the category. */
  to?: readonly string[]
  /** Schema of refused options. A match fails with `INVALID_OPTIONS`. */
  forbid: object
  /** One sentence for the client: which keys conflict, and what would work. */
  message: string
}

/** Values of options under one name, so that people need not know what the options mean. */
export interface Preset<Options extends object = AnyOptions> {
  /** Unique among those of a target. People see it in their language if the page knows it. */
  name: string
  /** One to five words. */
  title: string
  /** It is offered to targets on which all of these have an effect, and that accept them. */
  options: Readonly<Partial<Options>>
}

/** What conversions to a category drop or replace. The report of a conversion lists those that hold at its end. */
export interface Loss<Options extends object = AnyOptions> {
  kind: LossKind
  /** Whether it happened, by the job and what its steps found. `written` never holds. */
  when: Condition<Options>
  /**
   * Returns what exactly, such as languages of streams or names of fonts. Pure. If it returns none, nothing was lost.
   * Default: it has no name.
   */
  names?: (facts: Facts, job: Pick<Job<Options>, 'from' | 'to' | 'options'>) => readonly string[]
}

/** One category of target formats. */
export interface Plugin<Options extends object = AnyOptions> {
  /** The category served, and the plugin's name in the configuration. */
  category: string
  /** The category's formats, by canonical extension (lower case). */
  formats: Readonly<Record<string, Format>>
  /** Options for targets of this category. */
  options: { readonly [Key in keyof Required<Options>]: OptionSchema }
  /** Refused combinations of options. Default: none. */
  rules?: readonly OptionRule[]
  /** Presets, in the order in which people see them. Default: none. */
  presets?: readonly Preset<Options>[]
  /** Suggested targets for sources of this category, most wanted first. */
  wanted?: readonly string[]
  /** Routes to the targets of this category. For each pair, the first usable route wins. */
  routes: readonly Route<Options>[]
  /** What conversions to this category lose, for their reports. Default: nothing. */
  losses?: readonly Loss<Options>[]
  /** Whether a job uses the heavy lane. Default: never. */
  heavy?: (job: Weighed<Options>) => boolean
}

/** What is known of a job before it waits. `size` is in bytes. */
export type Weighed<Options extends object = AnyOptions> = Pick<
  Job<Options>,
  'from' | 'to' | 'intent' | 'size' | 'options'
>

/** A group of pairs and the method that converts them. */
export type Route<Options extends object = AnyOptions> = Pairs & Method<Options>

/** Every `from` to every other `to`, or each `transform` format to itself. */
export type Pairs = { from: readonly string[]; to: readonly string[] } | { transform: readonly string[] }

export type Method<Options extends object = AnyOptions> =
  | {
      /** One run of one engine. */
      engine: Engine
      /** Features that this build of the engine must list. */
      needs?: readonly string[]
      /** Returns the engine's arguments. Pure: depends only on the job. */
      args: (job: Job<Options>) => Args
    }
  | {
      /** Steps that run in order in one sandbox. */
      steps: readonly Step<Options>[]
      /** The engine that the catalogue shows and `prefer` ranks. Default: the engine of the first step. */
      engine?: Engine
      /** Features that this build of the engine must list. */
      needs?: readonly string[]
    }
  | {
      /** Several runs in one sandbox. The catalogue shows this engine. */
      engine: Engine
      needs?: readonly string[]
      /** Other engines that `convert` may run. */
      uses?: readonly Engine[]
      convert: (job: Job<Options>, run: Run) => Promise<void>
    }
  /** Two direct routes joined at one intermediate format. */
  | { via: string }

/**
 * Creates a plugin. A plugin package may export this instead of a plugin, to receive its settings and the bundled
 * engines. A package with settings also exports `settings`, a JSON Schema (2020-12) of type object. At start, the
 * service checks the operator's settings against this schema and fills in its defaults. Unknown keys are refused.
 */
export type PluginFactory = (host: {
  settings: unknown
  engines: Readonly<Record<string, Engine>>
}) => Plugin | Promise<Plugin>
