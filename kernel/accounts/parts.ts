import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import type { LookUp } from '../database/look-up.ts'
import type { Transact } from '../database/work.ts'
import { createAccounts } from './accounts.ts'
import { createInvitationMail } from './invitation-mail.ts'
import { createInvitations } from './invitations.ts'
import { createQuotas } from './quotas.ts'
import { createStoredBytes } from './stored-bytes.ts'
import { createTeams } from './teams.ts'

/** Creates the parts of this room. Close `letters` and `accounts.resets` at the end. */
export async function createAccountParts({
  config,
  database,
  lookUp,
  transact,
  secret,
  log,
}: {
  config: Config
  database: Database
  lookUp: LookUp
  transact: Transact
  secret: string
  log: Logger
}) {
  const accounts = await createAccounts({ config, database, lookUp, secret, log })
  const { users, mailer } = accounts
  const letters = createInvitationMail({ config, database, mailer, log })
  return {
    accounts,
    letters,
    quotas: createQuotas({ config, database, transact }),
    storedBytes: createStoredBytes({ config, database, transact }),
    teams: createTeams({ database, users, letters }),
    invitations: createInvitations({ database, users, mails: mailer !== undefined }),
  }
}
