/** What TypeScript has to know of `debian.mjs`. */
export interface DebianPackage {
  package: string
  for: string
  why: string
  extra?: boolean
  language?: string
}

export function wantedPackages<Item extends DebianPackage>(
  packages: readonly Item[],
  choice: { only?: readonly string[]; extras?: boolean; tests?: boolean; languages?: readonly string[] },
): Item[]
