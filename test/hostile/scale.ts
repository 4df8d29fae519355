/** Whether to try everything, as files `*.all.test.ts` do, or only what the fast tests have time for. */
export const full = process.argv[1]?.endsWith('.all.test.ts') ?? false

/** Returns how often to repeat something. */
export const times = (quick: number, all: number) => (full ? all : quick)
