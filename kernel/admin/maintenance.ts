import { audited } from '../settings/audit.ts'
import { maintenanceSwitch, setSwitch } from '../settings/switches.ts'
import { type AdminCommand, readWord } from './command.ts'
import { operate } from './operation.ts'

/** `npm run admin -- maintenance on|off`: closes the whole interface, or opens it again. */
export const maintenance: AdminCommand = {
  summary: 'Closes the whole interface, or opens it again.',
  usage: [
    'Usage: npm run admin -- maintenance on|off [--json]',
    '',
    'On: every request under /api gets 503 MAINTENANCE_MODE; health and metrics stay, running conversions go on.',
    'A running service follows within 5 seconds, and it stays so over restarts.',
  ].join('\n'),
  async run(args) {
    const { word: state, json } = readWord('maintenance', args, ['on', 'off'])
    await operate(({ database, actor }) =>
      audited(database, { actor, action: `maintenance.${state}`, subject: 'service', details: {} }, (transaction) =>
        setSwitch(transaction, maintenanceSwitch, state === 'on'),
      ),
    )
    console.log(json ? JSON.stringify({ maintenance: state === 'on' }) : `Maintenance is ${state}.`)
    return 0
  },
}
