import type { Kernel } from '../kernel.ts'
import { type Handler, sendJson } from './context.ts'
import { accountOf, sendTeam } from './teams.ts'

/** GET /api/teams/invitations */
export function listInvitations({ invitations }: Kernel): Handler {
  return async (ctx) => {
    const found = await invitations.list(accountOf(ctx))
    const records = found.map(({ createdAt, ...more }) => ({ ...more, createdAt: new Date(createdAt).toISOString() }))
    sendJson(ctx, JSON.stringify({ invitations: records }))
  }
}

/** POST /api/teams/invitations/:id/accept */
export function acceptInvitation(kernel: Kernel): Handler {
  return async (ctx) => {
    const account = accountOf(ctx)
    const team = await kernel.invitations.accept(account, ctx.params.id!)
    await sendTeam(kernel, ctx, await kernel.teams.get(account, team))
  }
}

/** DELETE /api/teams/invitations/:id */
export function declineInvitation({ invitations }: Kernel): Handler {
  return async (ctx) => {
    await invitations.decline(accountOf(ctx), ctx.params.id!)
    ctx.status = 204
  }
}
