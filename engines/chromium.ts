import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

// The browser's own pages need scripts to print. Only a policy can disable scripts on all other pages.
const policy = fileURLToPath(new URL('chromium/policy.json', import.meta.url))

/**
 * Prints a web page without running its scripts. A proxy that does not exist blocks the network. The profile is in the
 * home folder. The browser's own sandbox is off: it needs rights that ours removes. It writes its user agent as the creator
 * of the PDF.
 */
export const chromium: Engine = {
  name: 'chromium',
  binary: ['/usr/lib/chromium/chromium'],
  version: ['--version'],
  package: 'chromium',
  argv: (job, args) => [
    ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-breakpad'],
    ...['--disable-extensions', '--disable-background-networking', '--disable-sync', '--no-first-run'],
    ...[
      '--hide-scrollbars',
      '--user-agent=Chromium',
      '--log-level=3',
      '--proxy-server=127.0.0.1:9',
      '--proxy-bypass-list=<-loopback>',
    ],
    ...[args, `--print-to-pdf=${job.output}`, '--no-pdf-header-footer', `file://${job.input}`],
  ],
  // V8 reserves far more address space than it uses.
  sandbox: {
    addressSpace: 0,
    processes: 512,
    unixSockets: true,
    // Paths of Unix sockets must be short, and the job's folder may have a long one (unix(7)).
    env: { TMPDIR: '/proc/self/cwd' },
    mounts: [[policy, '/etc/chromium/policies/managed/athanor.json']],
  },
}
