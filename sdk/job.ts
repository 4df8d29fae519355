import type { Args, Job, Plugin } from '../kernel/contract.ts'

/** A job like the kernel's: paths inside the sandbox, defaults applied. */
export function jobOf(plugin: Plugin, from: string, to: string): Job {
  const defaults = Object.entries(plugin.options).map(([key, option]) => [key, option.defaults?.[to] ?? option.default])
  return {
    from,
    to,
    intent: from === to ? 'transform' : 'convert',
    input: `/in/file.${from}`,
    output: `/out/file.${to}`,
    pages: '/out/pages.zip',
    scratch: '/scratch',
    name: 'picture',
    size: 1_000,
    options: Object.fromEntries(defaults.filter(([, value]) => value !== undefined)),
    signal: new AbortController().signal,
  }
}

/** Flattens arguments as the sandbox does: drops falsy entries except 0, splices nested lists, formats numbers. */
export function flatten(args: Args): string[] {
  return args.flatMap((arg) => {
    if (Array.isArray(arg)) return flatten(arg)
    return arg === 0 || arg ? [String(arg)] : []
  })
}

/** The error of a call as a fault; none if it returned. */
export function attempt(what: string, call: () => readonly string[]): readonly string[] {
  try {
    return call()
  } catch (error) {
    return [`${what} threw: ${error instanceof Error ? error.message : String(error)}`]
  }
}
