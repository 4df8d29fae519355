import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from './version.ts'

/** The commit that set-up has recorded, in hexadecimal; undefined: there was no Git. */
export const commit: string | undefined = read()

/** Version and commit of this release, for people: `Athanor 1.2.3 (0123456789ab)`. */
export const release: string = `Athanor ${version}${commit ? ` (${commit.slice(0, 12)})` : ''}`

function read(): string | undefined {
  try {
    return /^[0-9a-f]{40}/.exec(readFileSync(join(import.meta.dirname, '..', 'commit.txt'), 'latin1'))?.[0]
  } catch {
    return undefined
  }
}
