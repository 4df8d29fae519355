export function buildDocs(root: string): Promise<void>
