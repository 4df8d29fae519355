import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { createAccounts } from './accounts.ts'
import { createInvitationMail } from './invitation-mail.ts'
import { createInvitations } from './invitations.ts'
import { createQuotas } from './quotas.ts'
import type { Secrets } from './secret.ts'
import { createStoredBytes } from './stored-bytes.ts'
import { createTeams } from './teams.ts'

/** Creates the parts of this room. Close `letters` and `accounts.resets` at the end. */
export async function createAccountParts({
  config,
  database,
  secrets,
  log,
}: {
  config: Config
  database: Database
  secrets: Secrets
  log: Logger
}) {
  const accounts = await createAccounts({ config, database, secrets, log })
  const { users, mailer } = accounts
  const letters = createInvitationMail({ config, database, mailer, log })
  return {
    accounts,
    letters,
    quotas: createQuotas({ config, database }),
    storedBytes: createStoredBytes({ config, database }),
    teams: createTeams({ database, users, letters }),
    invitations: createInvitations({ database, users, mails: mailer !== undefined }),
  }
}
