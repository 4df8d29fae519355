import { parseArgs } from 'node:util'
import { audited } from '../settings/audit.ts'
import { maintenanceSwitch, setSwitch } from '../settings/switches.ts'
import { type Command, CommandError, oneOf } from './command.ts'
import { operate } from './operation.ts'

/** `npm run admin -- maintenance on|off`: closes the whole interface, or opens it again. */
export const maintenance: Command = {
  summary: 'Closes the whole interface, or opens it again.',
  usage: [
    'Usage: npm run admin -- maintenance on|off [--json]',
    '',
    'On: every request under /api gets 503 MAINTENANCE_MODE; health and metrics stay, running conversions go on.',
    'A running service follows within 5 seconds, and it stays so over restarts.',
  ].join('\n'),
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const state = oneOf('maintenance', positionals[0], ['on', 'off'])
    if (positionals.length > 1) throw new CommandError(`maintenance: "${positionals[1]}" is one word too many.`)
    await operate(({ database, actor }) =>
      audited(database, { actor, action: `maintenance.${state}`, subject: 'service', details: {} }, (transaction) =>
        setSwitch(transaction, maintenanceSwitch, state === 'on'),
      ),
    )
    console.log(values.json ? JSON.stringify({ maintenance: state === 'on' }) : `Maintenance is ${state}.`)
    return 0
  },
}
