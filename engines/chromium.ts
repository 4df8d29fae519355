import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

// The browser's own pages need scripts to print: only a policy takes them away from all others.
const policy = fileURLToPath(new URL('chromium/policy.json', import.meta.url))

/**
 * Prints a web page, without running what is in it, by way of a proxy that is not there. Its profile is at home. Its own
 * sandbox needs rights that ours takes away, and ours stands around it.
 */
export const chromium: Engine = {
  name: 'chromium',
  binary: ['/usr/lib/chromium/chromium'],
  version: ['--version'],
  package: 'chromium',
  argv: (job, args) => [
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-breakpad'],
    ...['--disable-extensions', '--disable-background-networking', '--disable-sync', '--no-first-run'],
    ...['--hide-scrollbars', '--log-level=3', '--proxy-server=127.0.0.1:9', '--proxy-bypass-list=<-loopback>'],
    ...[args, `--print-to-pdf=${job.output}`, '--no-pdf-header-footer', `file://${job.input}`],
  ],
  // V8 reserves far more addresses than it uses.
  sandbox: {
    addressSpace: 0,
    processes: 512,
    unixSockets: true,
    // The path of its socket has to be short, however long that of the job's folder is (unix(7)).
    env: { TMPDIR: '/proc/self/cwd' },
    mounts: [[policy, '/etc/chromium/policies/managed/athanor.json']],
  },
}
