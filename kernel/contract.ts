/**
 * The contract between the kernel, its plugins and its engines.
 *
 * Types only: importing this file runs nothing. A plugin or an engine is a plain
 * object that satisfies one of these interfaces, so it can live in this tree or in
 * an npm package, in TypeScript or in JavaScript.
 */

import type { Engine } from './contract/engine.ts'
import type { Format } from './contract/format.ts'
import type { Args, Intent, Job } from './contract/job.ts'
import type { Run, Step } from './contract/step.ts'

export type { Engine, Profile } from './contract/engine.ts'
export type { Format, Look, Recogniser, Refusal, Signature, Source, Verdict } from './contract/format.ts'
export type { Args, Failure, FailureCode, Intent, Job } from './contract/job.ts'
export type { Condition, Facts, Page, Run, Step, StepPlace, StepState, StepWork } from './contract/step.ts'

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
      /** One run of one engine. */
      engine: Engine
      /** Features that this build of the engine must list. */
      needs?: readonly string[]
      /** Its arguments. Pure: they depend on the job alone. */
      args: (job: Job<Options>) => Args
    }
  | {
      /** Runs in a row, in one sandbox. */
      steps: readonly Step<Options>[]
      /** The engine that the catalogue shows and `prefer` ranks. Default: that of the first step. */
      engine?: Engine
      /** Features that its build must list. */
      needs?: readonly string[]
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

/**
 * What a plugin package may export instead of a plugin, to receive its settings and the engines that ship. A package that
 * takes settings also exports `settings`, a JSON Schema (2020-12) of type object: what an operator writes is checked
 * by it at the start, with its defaults filled in. Keys that it does not name are refused.
 */
export type PluginFactory = (host: {
  settings: unknown
  engines: Readonly<Record<string, Engine>>
}) => Plugin | Promise<Plugin>
