/** What TypeScript has to know of `commit.mjs`. */
export function recordCommit(root: string): void
