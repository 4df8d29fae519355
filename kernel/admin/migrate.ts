import { claimFolder } from '../boot/claim.ts'
import { audited } from '../boot/settings/audit.ts'
import { claimDatabase } from '../database/claim.ts'
import { readSchema, refuseNewer, type SchemaState, unlockSchema } from '../database/schema.ts'
import { createLog } from '../log.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, readWord } from './command.ts'
import { type AdminContext, operateOn } from './open-database.ts'
import { loadServiceConfig } from './service-config.ts'

/** `npm run admin -- migrate status|unlock`: shows the state of the database schema, or removes a stale lock. */
export const migrate: AdminCommand = {
  summary: 'Shows the state of the database schema, or removes a stale lock.',
  usage: [
    'Usage: npm run admin -- migrate status|unlock [--json]',
    '',
    'status lists applied and pending migrations. It exits with 1 if this version cannot use the database.',
    'unlock removes the lock that stays if a start is killed while it changes the schema. It refuses while a service',
    'uses the data folder or the database. SQLite has then changed nothing, and the next start begins again. On a',
    'server, restore the backup instead: half of the change stays.',
  ].join('\n'),
  async run(args) {
    const { word: action, json } = readWord('migrate', args, ['status', 'unlock'])
    const any = async () => {}
    const config = loadServiceConfig(process.env)
    return operateOn(config, any, (operation) => actions[action](operation, json))
  },
}

const actions = {
  async status({ database }: AdminContext, json: boolean): Promise<number> {
    const state = await readSchema(database)
    const { newer, ...shown } = state
    if (json) printJson(JSON.stringify({ ...shown, foreign: newer }, null, 2))
    else for (const line of render(state)) printLine(line)
    return state.locked || newer.length ? 1 : 0
  },

  async unlock({ config, database, actor }: AdminContext, json: boolean): Promise<number> {
    // A service that uses the folder or the database may be changing the schema now.
    const claim = claimFolder(config.dataDir, config.dataDirOnHost)
    try {
      const url = config.databaseUrl
      await using _claim = url ? await claimDatabase(url, createLog('silent'), () => {}) : undefined
      const state = await readSchema(database)
      refuseNewer(state)
      const change = {
        actor,
        action: 'migrate.unlock',
        subject: 'database',
        details: { applied: state.applied.length },
      }
      const hasAudit = await database.schema.hasTable('audit')
      if (state.locked && hasAudit) await audited(database, change, unlockSchema)
      else if (state.locked) await unlockSchema(database)
      const next = url ? 'Restore the backup before the next start.' : 'The next start updates the database.'
      const said = state.locked ? `Removed the lock. ${next}` : 'There is no lock to remove.'
      if (json) printJson(JSON.stringify({ unlocked: state.locked }))
      else printLine(said)
      return 0
    } finally {
      claim.release()
    }
  },
}

function render({ applied, pending, newer, locked }: SchemaState): string[] {
  const list = (names: readonly string[]) => names.join(', ') || 'none'
  return [
    `Applied   ${list(applied)}`,
    `Pending   ${list(pending)}${pending.length ? ' (the next start applies them)' : ''}`,
    ...(newer.length ? [`Unknown   ${list(newer)} (written by a newer version)`] : []),
    `Lock      ${locked ? 'held: if no service is starting, npm run admin -- migrate unlock' : 'free'}`,
  ]
}
