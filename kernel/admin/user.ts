import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { audited } from '../boot/settings/audit.ts'
import { ACCOUNT_PLANS, USER_STATUSES, type User } from '../database/tables/users.ts'
import { ServiceError } from '../errors.ts'
import { createPasswords } from '../people/passwords.ts'
import { canonicalEmail, createUsers, isEmail } from '../people/users.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError, oneOf, refuseMore } from './command.ts'
import { type AdminContext, operate } from './open-database.ts'
import { userDelete } from './user-delete.ts'
import { userKeys } from './user-keys.ts'
import { resetUserQuota, userUsage } from './user-usage.ts'

const OPTIONS = {
  email: { type: 'string' },
  password: { type: 'string' },
  name: { type: 'string' },
  plan: { type: 'string' },
  status: { type: 'string' },
  revoke: { type: 'string' },
  verified: { type: 'boolean' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type Options = ReturnType<typeof parseOptions>['values']

const parseOptions = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true })

/** `npm run admin -- user create|set|list|keys|delete`: accounts. */
export const user: AdminCommand = {
  summary: 'Creates, changes, lists and deletes accounts.',
  usage: [
    'Usage: npm run admin -- user create --email E [--password P] [--plan PLAN] [--name N] [--json]',
    '       npm run admin -- user set --email E [--plan PLAN] [--status STATUS] [--password P] [--name N] [--verified] [--json]',
    '       npm run admin -- user list [--json]',
    '       npm run admin -- user keys --email E [--revoke KEY] [--json]',
    '       npm run admin -- user usage|reset-quota --email E [--json]',
    '       npm run admin -- user delete --email E [--yes] [--json]',
    '',
    `PLAN is ${ACCOUNT_PLANS.join(', ')} (default: free). STATUS is ${USER_STATUSES.join(', ')}.`,
    'P has 8 to 256 characters; - reads it from standard input. Users without a password can request a reset mail.',
    '--verified: you vouch for the address. Without it, an account of the free plan shares the quota of its network.',
    'usage: what the account has used of its plan. reset-quota sets what it has used today (UTC) to 0. Before an address is',
    'verified, an account of the free plan also shares the quota of its network, which stays.',
    'Changes take effect at once. A new password ends all sessions. Suspended accounts are refused everywhere.',
  ].join('\n'),
  async run(args) {
    const { values, positionals } = parseOptions(args)
    const action = oneOf('user', positionals[0], ['create', 'set', 'list', 'keys', 'usage', 'reset-quota', 'delete'])
    refuseMore(`user ${action}`, positionals.slice(1))
    const { plan, status } = values
    if (plan !== undefined) oneOf('--plan', plan, ACCOUNT_PLANS)
    if (status !== undefined) oneOf('--status', status, USER_STATUSES)
    await operate((operation) => actions[action](operation, values))
    return 0
  },
}

const actions = {
  async create({ database, actor }: AdminContext, options: Options): Promise<void> {
    const email = emailOf(options)
    const plan = oneOf('--plan', options.plan ?? 'free', ACCOUNT_PLANS)
    const password_hash = (await hashOf(options)) ?? null
    const change = { actor, action: 'user.create', subject: email, details: { plan } }
    try {
      const made = await audited(database, change, (transaction) =>
        createUsers(transaction).create({
          email,
          plan,
          password_hash,
          // The operator vouches for the address.
          verified: true,
          name: options.name ?? null,
        }),
      )
      print([made], options)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw new CommandError(`--email: an account with ${email} already exists; change it with user set.`)
    }
  },

  async set({ database, actor }: AdminContext, options: Options): Promise<void> {
    const email = emailOf(options)
    const found = await knownUser({ database }, options)
    const { name, plan, status, verified } = options as Partial<User>
    const given = Object.entries({ name, plan, status, verified }).filter(([, value]) => value !== undefined)
    const fields = Object.fromEntries(given)
    const password_hash = await hashOf(options)
    if (!Object.keys(fields).length && !password_hash) {
      throw new CommandError(
        'user set: nothing to change; expected one of --plan, --status, --password, --name, --verified.',
      )
    }
    const details = { ...fields, ...(password_hash && { password: 'changed' }) }
    const changed = await audited(
      database,
      { actor, action: 'user.set', subject: email, details },
      async (transaction) => {
        const users = createUsers(transaction)
        if (Object.keys(fields).length) await users.change(found.id, fields)
        if (password_hash) await users.setPassword({ id: found.id }, password_hash)
        return { ...found, ...fields }
      },
    )
    print([changed], options)
  },

  async keys(operation: AdminContext, options: Options): Promise<void> {
    await userKeys(operation, await knownUser(operation, options), options)
  },

  async usage(operation: AdminContext, options: Options): Promise<void> {
    await userUsage(operation, await knownUser(operation, options), options)
  },

  async 'reset-quota'(operation: AdminContext, options: Options): Promise<void> {
    await resetUserQuota(operation, await knownUser(operation, options), options)
  },

  async delete(operation: AdminContext, options: Options): Promise<void> {
    await userDelete(operation, await knownUser(operation, options), options)
  },

  async list({ database }: AdminContext, options: Options): Promise<void> {
    print(await Array.fromAsync(createUsers(database).list()), options, true)
  },
}

/** The account that --email names. @throws CommandError. */
async function knownUser({ database }: Pick<AdminContext, 'database'>, options: Options): Promise<User> {
  const email = emailOf(options)
  const found = await createUsers(database).byEmail(email)
  if (!found) throw new CommandError(`--email: there is no account with ${email}; user list shows all accounts.`)
  return found
}

function emailOf({ email }: Options): string {
  if (email !== undefined && isEmail(email)) return canonicalEmail(email)
  throw new CommandError(`--email: ${email === undefined ? 'missing' : 'not allowed'}; expected an email address.`)
}

async function hashOf({ password }: Options): Promise<string | undefined> {
  if (password === undefined) return undefined
  // All users of the machine can read arguments in the list of processes.
  const given = password === '-' ? (await text(process.stdin)).replace(/\r?\n$/, '') : password
  if ([...given].length < 8 || [...given].length > 256) {
    throw new CommandError('--password: not allowed; expected 8 to 256 characters, or - for standard input.')
  }
  return createPasswords().hash(given)
}

function print(users: readonly User[], { json }: Options, all = false): void {
  const records = users.map(({ id, email, name, plan, status, created_at }) => ({
    id,
    email,
    name,
    plan,
    status,
    createdAt: new Date(Number(created_at)).toISOString(),
  }))
  if (json) printJson(JSON.stringify(all ? records : records[0], null, 2))
  else for (const each of records) printLine([each.email, each.plan, each.status, each.createdAt, each.id].join('  '))
}
