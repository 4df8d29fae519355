import { parseArgs } from 'node:util'
import { loadConfig } from '../../config/load.ts'
import type { Command } from './command.ts'
import { examine } from './examine.ts'
import { render } from './render.ts'

/** `npm run admin -- doctor`: what this machine can convert, and what would bring the rest. */
export const doctor: Command = {
  summary: 'Says what this machine can convert, and what is missing for the rest.',
  usage: [
    'Usage: npm run admin -- doctor [--json]',
    '',
    'Lists the configuration’s sources, the state of the sandbox, plugins, engines with their versions, the packages',
    'to install for missing ones, and formats that nothing reads or writes. Ends with 1 when the service could not start.',
    '',
    'Security: compares the Debian packages that engines load with the security archive, by the package lists that this',
    'machine has. It fetches nothing: run apt-get update first. Lists past their Valid-Until are reported as unknown.',
  ].join('\n'),
  async run(args) {
    const { json } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values
    const findings = await examine(loadConfig({ env: process.env, argv: [] }), process.env)
    console.log(json ? JSON.stringify(findings, null, 2) : render(findings))
    return findings.sandbox.works ? 0 : 1
  },
}
