/**
 * Loaded into a process before its program (`--import`): writes each statement that it runs on SQLite as a line into
 * the file `STATEMENTS`, at once.
 */
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type SQLite from 'better-sqlite3'

// The copy of the program's own folder, which is mounted elsewhere for a service.
const require = createRequire(join(process.cwd(), 'package.json'))
const Database: typeof SQLite = require('better-sqlite3')

const file = process.env.STATEMENTS!
const note = (sql: string) => appendFileSync(file, `${sql.replaceAll(/\s+/g, ' ')}\n`)

// All statements have one prototype, also those that begin and end transactions.
const database = new Database(':memory:')
const prototype = Object.getPrototypeOf(database.prepare('select 1'))
database.close()
for (const name of ['run', 'get', 'all', 'iterate']) {
  const plain = prototype[name]
  prototype[name] = function (this: SQLite.Statement, ...values: unknown[]) {
    note(this.source)
    return plain.apply(this, values)
  }
}
appendFileSync(file, '')
