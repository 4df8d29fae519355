import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

// The browser's own pages need scripts to print. Only a policy can disable scripts on all other pages.
const policy = fileURLToPath(new URL('chromium/policy.json', import.meta.url))
const { command, sandbox, ...parts } = program('chromium/print.ts', { folders: ['plain', 'text'] })

/**
 * Prints web pages without running their scripts. Our program keeps the browser running and talks to it. The arguments
 * are those of the program: how it prepares a page.
 */
export const chromium: Engine = {
  ...parts,
  name: 'chromium',
  version: [...command, '--version'],
  package: 'chromium',
  argv: (job, args) => [job.input, job.output, args],
  // V8 reserves far more address space than it uses.
  sandbox: {
    ...sandbox,
    processes: 512,
    unixSockets: true,
    mounts: [[policy, '/etc/chromium/policies/managed/athanor.json']],
  },
  warm: { argv: command, jobs: 100, memory: 160 * 1024 ** 2 },
}
