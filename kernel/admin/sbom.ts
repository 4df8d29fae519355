import { parseArgs } from 'node:util'
import { listComponents } from '../../config/setup/sbom.ts'
import { printJson } from '../terminal.ts'
import type { AdminCommand } from './command.ts'

/** `npm run admin -- sbom`: the software bill of materials. */
export const sbom: AdminCommand = {
  summary: 'Prints all npm and Debian packages of this machine as CycloneDX JSON.',
  usage: [
    'Usage: npm run admin -- sbom',
    '',
    'Prints CycloneDX 1.5, which scanners for vulnerabilities read. The image has the same list of itself in',
    '/app/sbom.cdx.json.',
  ].join('\n'),
  async run(args) {
    parseArgs({ args, options: { json: { type: 'boolean' } } })
    printJson(JSON.stringify(await listComponents(), null, 1))
    return 0
  },
}
