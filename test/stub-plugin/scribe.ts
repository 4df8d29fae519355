import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../kernel/contract.ts'

/** Requests of a test to a job. The plugin's option schemas describe them. */
export interface StubOptions {
  sleep?: number
  fail?: 'refuse' | 'encrypted' | 'crash' | 'silent'
  hang?: boolean
  fork?: number
  write?: number
  memory?: number
  heavy?: boolean
}

const program = realpathSync(process.execPath)
const script = join(import.meta.dirname, 'write.mjs')

/**
 * The program that writes the stub's formats: Node with the script next to this file. Its argument is options in JSON.
 */
export const scribe = (heading: string): Engine => ({
  name: 'scribe',
  binary: [program],
  version: ['--version'],
  argv: (job, args) => [script, job.input, job.output, job.scratch, job.to, heading || '-', ...args],
  progress: () => (line) => {
    const percent = /^(\d{1,3})%$/.exec(line)?.[1]
    return percent === undefined ? undefined : Math.min(1, Number(percent) / 100)
  },
  reason: (lines) => {
    if (lines.includes('locked')) return { code: 'ENCRYPTED_INPUT', message: 'The stub is locked' }
    return lines.findLast((line) => line.startsWith('refused: '))?.slice('refused: '.length)
  },
  sandbox: {
    binds: [program, script],
    // V8 reserves address space that it never uses.
    addressSpace: 0,
  },
})
