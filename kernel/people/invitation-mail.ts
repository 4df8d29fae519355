import type { User } from '../database/tables/users.ts'
import { createBackground } from './background.ts'
import { mayBeMailed } from './daily-bounds.ts'
import { INVITATION_DAYS } from './invitations.ts'
import type { Mailer } from './mailer.ts'
import type { PeopleNeeds } from './needs.ts'
import { digestOf } from './secret.ts'

export interface InvitationMail {
  /**
   * Mails invitations to addresses, whether or not they have an account. Returns at once.
   * @param owner The owner of the team. Sends nothing if the owner's address is not confirmed: the mail names it as
   * sender.
   */
  send(addresses: readonly string[], owner: User): void
  /** Waits for mails that are being sent. */
  close(): Promise<void>
}

/** Mails about invitations; undefined without a mail server. */
export function createInvitationMail(
  { config, database, log }: PeopleNeeds,
  mailer: Mailer | undefined,
): InvitationMail | undefined {
  if (!mailer) return undefined
  const background = createBackground(log, 'invitation not mailed: too many at the same time', 'invitation not mailed')
  const where = config.publicUrl ? ` at ${config.publicUrl}` : ''

  async function tell(to: string, owner: string): Promise<void> {
    if (!(await mayBeMailed(database, `mail_${digestOf(to).slice(0, 40)}`))) return
    // Without the team's name: its author could write anything into mails to strangers.
    const text = `${owner} invites you to a team of the file conversion service${where}. Sign in there with the address ${to} to accept or to decline; if you have no account, register with this address first. The invitation expires after ${INVITATION_DAYS} days.\n\nIf you do not know the sender, you can ignore this mail.\n`
    await mailer?.send({ to, subject: 'Invitation to a team', text })
  }

  return {
    send(addresses, { email, verified }) {
      if (!verified) return log.info('invitation not mailed: the address of the owner of the team is not proven')
      for (const address of addresses) background.run(() => tell(address, email))
    },
    close: background.close,
  }
}
