import { audited } from '../boot/settings/audit.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, wantsJson } from './command.ts'
import { operate } from './operation.ts'

/** `npm run admin -- reload`: makes the running service read its configuration file again. */
export const reload: AdminCommand = {
  summary: 'Makes the running service read its configuration file again.',
  usage: [
    'Usage: npm run admin -- reload [--json]',
    '',
    'plans, rates and tools.disabled take effect within 5 seconds. The log names other changed keys, which need a restart.',
    'An invalid file changes nothing, and the log says why. Check it first with config check. SIGUSR2 does the same.',
  ].join('\n'),
  async run(args) {
    const json = wantsJson(args)
    await operate(({ database, actor }) =>
      audited(database, { actor, action: 'reload', subject: 'service', details: {} }, async () => {}),
    )
    if (json) printJson('{"reload":true}')
    else printLine('Requested a reload. The log of the service shows the result.')
    return 0
  },
}
