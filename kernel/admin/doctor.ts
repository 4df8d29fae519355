import { parseArgs } from 'node:util'
import { loadConfig } from '../../config/load.ts'
import type { AdminCommand } from './command.ts'
import { examine } from './examine.ts'
import { examinePair, renderPair } from './pair.ts'
import { render } from './render.ts'

/** `npm run admin -- doctor`: what this machine can convert, and what would bring the rest. */
export const doctor: AdminCommand = {
  summary: 'Says what this machine can convert, and what is missing for the rest.',
  usage: [
    'Usage: npm run admin -- doctor [--json]',
    '       npm run admin -- doctor --pair FROM:TO [--json]',
    '',
    'Lists the configuration’s sources, the state of the sandbox, plugins, engines with their versions, the packages',
    'to install for missing ones, and formats that nothing reads or writes. Ends with 1 when the service could not start.',
    '',
    '--pair docx:png prints what would run for one pair: its ways in order, their steps, and each engine’s arguments with',
    'default options.',
    '',
    'Security: compares the Debian packages that engines load with the security archive, by the package lists that this',
    'machine has. It fetches nothing: run apt-get update first. Lists past their Valid-Until are reported as unknown.',
  ].join('\n'),
  async run(args) {
    const { json, pair } = parseArgs({
      args,
      options: { json: { type: 'boolean', default: false }, pair: { type: 'string' } },
    }).values
    if (pair !== undefined) {
      const explained = await examinePair(loadConfig({ env: process.env, argv: [] }), pair)
      console.log(json ? JSON.stringify(explained, null, 2) : renderPair(explained))
      return 0
    }
    const findings = await examine(loadConfig({ env: process.env, argv: [] }), process.env)
    console.log(json ? JSON.stringify(findings, null, 2) : render(findings))
    return findings.sandbox.works ? 0 : 1
  },
}
