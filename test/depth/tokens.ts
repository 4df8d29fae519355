/** Returns words and numbers in order, in lower case; a word that is split at the end of a line counts as one. */
export const tokens = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u00ad|\ufe0e|\ufe0f/g, '')
    .match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []
