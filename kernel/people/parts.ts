import { createAccounts } from './accounts.ts'
import { createInvitationMail } from './invitation-mail.ts'
import { createInvitations } from './invitations.ts'
import type { PeopleParts } from './people-parts.ts'
import { createQuotas } from './quotas.ts'
import { createStoredBytes } from './stored-bytes.ts'
import { createTeams } from './teams.ts'

/** Creates the parts of this room. Close `letters` and `accounts.resets` at the end. */
export async function createAccountParts(kernel: PeopleParts) {
  const { config, database } = kernel
  const accounts = await createAccounts(kernel)
  const { users, mailer } = accounts
  const letters = createInvitationMail(kernel, mailer)
  return {
    accounts,
    letters,
    quotas: createQuotas({ config, database }),
    storedBytes: createStoredBytes({ config, database }),
    teams: createTeams({ database, users, letters }),
    invitations: createInvitations(database, users, mailer !== undefined),
  }
}
