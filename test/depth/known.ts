/** Cases that fail, and why. `npm test` shows them as to do; remove what is mended. */
export const known: Readonly<Record<string, string>> = {}
