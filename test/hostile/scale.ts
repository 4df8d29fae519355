/** Whether everything is tried (`npm run test:hostile`), or the part that `npm test` has time for. */
export const full = process.env.ATHANOR_HOSTILE === 'full'

/** How often something is done. */
export const times = (quick: number, all: number) => (full ? all : quick)
