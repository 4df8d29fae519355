/** What clients see of accounts, teams and their things, with a database on a server instead of SQLite. */
import t from 'tap'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { useDatabases } from '../harness/service.ts'

t.setTimeout(1_800_000)
const server = await startMariaDb()
t.teardown(() => server[Symbol.asyncDispose]())
let made = 0
useDatabases(() => server.create(`service${++made}`))

const names = [
  'accounts',
  'delete-files',
  'external-sign-in',
  'idempotency',
  'invitations',
  'log-secrets',
  'owners',
  'password-reset',
]
for (const name of [...names, 'teams', '../admin/accounts', '../imports/connections']) await import(`./${name}.test.ts`)
