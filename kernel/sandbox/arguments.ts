import type { Args } from '../contract.ts'

/** Flattens nested arguments into strings and drops falsy entries except 0. Throws TypeError on NUL characters. */
export function flatten(args: Args): string[] {
  return args.flatMap((entry) => {
    if (Array.isArray(entry)) return flatten(entry)
    if (entry !== 0 && !entry) return []
    const argument = String(entry)
    if (argument.includes('\0')) throw new TypeError('an argument contains a NUL character')
    return [argument]
  })
}
