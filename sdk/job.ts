import { unrunJob } from '../kernel/catalogue/manifest/route.ts'
import type { Job, Plugin } from '../kernel/contract.ts'

/** The result of one check, with a sentence for each fault. */
export interface Finding {
  check: string
  faults: readonly string[]
}

/** A job like the kernel's: paths inside the sandbox, defaults applied. */
export function jobOf(plugin: Plugin, from: string, to: string): Job {
  const defaults = Object.entries(plugin.options).map(([key, option]) => [key, option.defaults?.[to] ?? option.default])
  return unrunJob({ from, to, options: Object.fromEntries(defaults.filter(([, value]) => value !== undefined)) })
}

/** The error of a call as a fault; none if it returned. */
export function attempt(what: string, call: () => readonly string[]): readonly string[] {
  try {
    return call()
  } catch (error) {
    return [`${what} threw: ${error instanceof Error ? error.message : String(error)}`]
  }
}
