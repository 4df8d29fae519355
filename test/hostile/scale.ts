/** Whether to try everything (`npm run test:hostile`), or only what `npm test` has time for. */
export const full = process.env.ATHANOR_HOSTILE === 'full'

/** Returns how often to repeat something. */
export const times = (quick: number, all: number) => (full ? all : quick)
