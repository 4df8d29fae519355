import type { Args } from '../contract.ts'

/** Arguments as a program takes them: falsy entries but 0 dropped, nested lists spliced. Throws on NUL characters. */
export function flatten(args: Args): string[] {
  return args.flatMap((entry) => {
    if (Array.isArray(entry)) return flatten(entry)
    if (entry !== 0 && !entry) return []
    const argument = String(entry)
    if (argument.includes('\0')) throw new TypeError('an argument contains a NUL character')
    return [argument]
  })
}
