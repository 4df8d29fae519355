import { parseArgs } from 'node:util'
import type { Updates } from '../../config/setup/updates.ts'
import { printJson, printLine } from '../terminal.ts'
import type { AdminCommand } from './command.ts'
import { examine } from './examine.ts'
import { examinePair, renderPair } from './pair.ts'
import { render } from './render.ts'
import { loadServiceConfig } from './service-config.ts'

/** `npm run admin -- doctor`: reports what this machine can convert, and what to install for the rest. */
export const doctor: AdminCommand = {
  summary: 'Reports what this machine can convert, and what to install for the rest.',
  usage: [
    'Usage: npm run admin -- doctor [--strict] [--json]',
    '       npm run admin -- doctor --pair FROM:TO [--json]',
    '',
    'Lists where the configuration comes from, the state of the sandbox, plugins, engines with their versions, packages',
    'to install for missing engines, formats without conversions, and the nodes that share the database. Exits with 1 if the',
    'sandbox does not work.',
    '',
    '--strict also exits with 1 if there is a security update, or if that cannot be known.',
    '',
    '--pair docx:png prints what would run for one pair: its routes in order, their steps, and the arguments of each',
    'engine with default options.',
    '',
    'Security: compares the installed Debian packages of the engines with the security archive. It reads the package',
    'lists on this machine and fetches nothing, so run apt-get update first. Expired lists are reported as unknown. An',
    'image has no lists; it knows what was outdated when it was built.',
  ].join('\n'),
  async run(args) {
    const flag = { type: 'boolean', default: false } as const
    const options = { json: flag, strict: flag, pair: { type: 'string' } } as const
    const { json, strict, pair } = parseArgs({ args, options }).values
    if (pair !== undefined) {
      const explained = await examinePair(loadServiceConfig(process.env), pair)
      if (json) printJson(JSON.stringify(explained, null, 2))
      else for (const line of renderPair(explained)) printLine(line)
      return 0
    }
    const findings = await examine(loadServiceConfig(process.env), process.env)
    if (json) printJson(JSON.stringify(findings, null, 2))
    else for (const line of render(findings)) printLine(line)
    return findings.sandbox.works && !(strict && mayBeVulnerable(findings.debian)) ? 0 : 1
  },
}

/** Whether a package has a security update, or nobody can know. */
const mayBeVulnerable = ({ lists, compared, security }: Updates) =>
  lists.state !== 'current' || compared === 0 || security.length > 0
