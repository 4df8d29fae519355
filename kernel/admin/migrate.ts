import { loadConfig } from '../../config/load.ts'
import { claimDatabase } from '../database/claim.ts'
import { readSchema, refuseNewer, type SchemaState, unlockSchema } from '../database/schema-state.ts'
import { createLog } from '../log.ts'
import { audited } from '../settings/audit.ts'
import { claimFolder } from '../start/claim.ts'
import { type AdminCommand, readWord } from './command.ts'
import { type AdminContext, operateOn } from './operation.ts'

/** `npm run admin -- migrate status|unlock`: the schema of the database. */
export const migrate: AdminCommand = {
  summary: 'Shows how far the database’s schema is, or unlocks it after a start that was ended.',
  usage: [
    'Usage: npm run admin -- migrate status|unlock [--json]',
    '',
    'Status lists what the database has and lacks; it ends with 1 when this version cannot use the database.',
    'Unlock is for a start that was killed while it changed the schema: the next one finishes the change. It refuses',
    'while a service uses the data folder or the database. Make a backup first.',
  ].join('\n'),
  async run(args) {
    const { word: action, json } = readWord('migrate', args, ['status', 'unlock'])
    const any = async () => {}
    const config = loadConfig({ env: process.env, argv: [] })
    return operateOn(config, any, (operation) => actions[action](operation, json))
  },
}

const actions = {
  async status({ database }: AdminContext, json: boolean): Promise<number> {
    const state = await readSchema(database)
    console.log(json ? JSON.stringify(state, null, 2) : render(state))
    return state.locked || state.foreign.length ? 1 : 0
  },

  async unlock({ config, database, actor }: AdminContext, json: boolean): Promise<number> {
    // A service that has the folder, or the database, may be changing the schema at this moment.
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
      const said = state.locked
        ? 'The lock is removed. The next start of the service brings the database up to date.'
        : 'There is no lock to remove.'
      console.log(json ? JSON.stringify({ unlocked: state.locked }) : said)
      return 0
    } finally {
      claim.release()
    }
  },
}

function render({ applied, pending, foreign, locked }: SchemaState): string {
  const list = (names: readonly string[]) => names.join(', ') || 'none'
  return [
    `Applied   ${list(applied)}`,
    `Pending   ${list(pending)}${pending.length ? ' (the next start applies them)' : ''}`,
    ...(foreign.length ? [`Unknown   ${list(foreign)} (a newer version wrote them)`] : []),
    `Lock      ${locked ? 'held: after a start that was ended, npm run admin -- migrate unlock' : 'free'}`,
  ].join('\n')
}
