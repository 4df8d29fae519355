import type { Args, Job, Plugin } from '../kernel/contract.ts'

/** A job as the kernel makes one: paths of the sandbox, defaults applied. */
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

/** As the sandbox does it: falsy entries but 0 dropped, nested lists spliced, numbers written out. */
export function flatten(args: Args): string[] {
  return args.flatMap((arg) => {
    if (Array.isArray(arg)) return flatten(arg)
    return arg === 0 || arg ? [String(arg)] : []
  })
}

/** What a call threw, as a fault; nothing when it came back. */
export function attempt(what: string, call: () => readonly string[]): readonly string[] {
  try {
    return call()
  } catch (error) {
    return [`${what} threw: ${error instanceof Error ? error.message : String(error)}`]
  }
}
