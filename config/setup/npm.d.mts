export function npmIsComplete(root: string, tests: boolean): boolean
export function installNpm(root: string, tests: boolean): Promise<void>
