import { audited } from '../boot/settings/audit.ts'
import { maintenanceSwitch, setSwitch } from '../database/tables/switches.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, readWord } from './command.ts'
import { operate } from './open-database.ts'

/** `npm run admin -- maintenance on|off`: switches maintenance mode. */
export const maintenance: AdminCommand = {
  summary: 'Switches maintenance mode on or off.',
  usage: [
    'Usage: npm run admin -- maintenance on|off [--json]',
    '',
    'In maintenance mode, all requests under /api get 503 MAINTENANCE_MODE, except health and metrics. Running',
    'conversions continue. The switch takes effect within 5 seconds and survives restarts.',
  ].join('\n'),
  async run(args) {
    const { word: state, json } = readWord('maintenance', args, ['on', 'off'])
    await operate(({ database, actor }) =>
      audited(database, { actor, action: `maintenance.${state}`, subject: 'service', details: {} }, (transaction) =>
        setSwitch(transaction, maintenanceSwitch, state === 'on'),
      ),
    )
    if (json) printJson(JSON.stringify({ maintenance: state === 'on' }))
    else printLine(`Maintenance is ${state}.`)
    return 0
  },
}
