import type { MemberChange } from '../accounts/team-members.ts'
import type { Team } from '../accounts/teams.ts'
import { decodeCursor, encodeCursor } from '../database/cursor.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { type Context, type Handler, sendJson } from './context.ts'
import { readJson } from './json-body.ts'
import { createQueryReader } from './query.ts'
import { listTeamsQuery, PAGE } from './schemas.ts'
import { changeTeamBody, createTeamBody } from './team-schemas.ts'
import { createCheck } from './validation.ts'

/** The account that asks, by whichever credential. @throws ServiceError UNAUTHORIZED for guests. */
export function accountOf({ state: { owner } }: Context): string {
  if (owner.kind === 'user') return owner.id
  throw new ServiceError('UNAUTHORIZED', 'Teams are for accounts: send a session token or an API key')
}

const teamRecord = ({ createdAt, ...team }: Team) => ({ ...team, createdAt: new Date(createdAt).toISOString() })

/** Sends a team with its members. */
export async function sendTeam({ teams }: Kernel, ctx: Context, team: Team, status = 200): Promise<void> {
  const members = await teams.members(team.id)
  sendJson(ctx, JSON.stringify({ team: { ...teamRecord(team), members } }), status)
}

/** GET /api/teams */
export function listTeams({ teams }: Kernel): Handler {
  const readQuery = createQueryReader<{ limit: number; cursor: string }>(listTeamsQuery)
  return async (ctx) => {
    const account = accountOf(ctx)
    const { limit = PAGE, cursor } = readQuery(ctx)
    const before = cursor === undefined ? undefined : decodeCursor(cursor)
    const found = await teams.list(account, { limit: limit + 1, ...(before && { before }) })
    const page = found.slice(0, limit)
    const nextCursor = found.length > limit ? encodeCursor(page.at(-1)!.id) : null
    sendJson(ctx, JSON.stringify({ teams: page.map(teamRecord), nextCursor }))
  }
}

/** POST /api/teams */
export function createTeam(kernel: Kernel): Handler {
  const check = createCheck<{ name: string; members?: MemberChange[] }>(createTeamBody, 'The body')
  return async (ctx) => {
    const account = accountOf(ctx)
    const team = await kernel.teams.create(account, check(await readJson(ctx)))
    ctx.set('Location', `/api/teams/${team.id}`)
    await sendTeam(kernel, ctx, team, 201)
  }
}

/** GET /api/teams/:id */
export function showTeam(kernel: Kernel): Handler {
  return async (ctx) => sendTeam(kernel, ctx, await kernel.teams.get(accountOf(ctx), ctx.params.id!))
}

/** PATCH /api/teams/:id */
export function changeTeam(kernel: Kernel): Handler {
  const check = createCheck<{ name?: string; members?: MemberChange[] }>(changeTeamBody, 'The body')
  return async (ctx) => {
    const account = accountOf(ctx)
    await sendTeam(kernel, ctx, await kernel.teams.change(account, ctx.params.id!, check(await readJson(ctx))))
  }
}

/** DELETE /api/teams/:id */
export function removeTeam({ teams }: Kernel): Handler {
  return async (ctx) => {
    await teams.remove(accountOf(ctx), ctx.params.id!)
    ctx.status = 204
  }
}

/**
 * The owner that a request acts as: with `x-team-id` it is for that team.
 * @throws ServiceError UNAUTHORIZED for guests, NOT_FOUND for teams of others, FORBIDDEN when the team's owner is suspended.
 */
export async function actingOwner({ teams }: Kernel, ctx: Context) {
  const { owner } = ctx.state
  // Node joins repeated headers of this name to one text.
  const id = ctx.req.headers['x-team-id'] as string | undefined
  return id === undefined ? owner : { ...owner, team: await teams.payer(accountOf(ctx), id) }
}
