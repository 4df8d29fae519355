/** What a service of another version has in its schema that this one lacks. */
export interface LaterMigration {
  /** Whether it is the first of all, instead of the last one. */
  first?: boolean
  /** Statements. */
  sql: readonly string[]
}

/**
 * Returns an environment in which a service takes itself for another version.
 *
 * @param migration Its schema has one migration more.
 */
export function otherVersion(version: string, migration?: LaterMigration): NodeJS.ProcessEnv {
  const source = `import { registerHooks } from 'node:module'
    const version = ${JSON.stringify(version)}, migration = ${JSON.stringify(migration ?? null)}
    registerHooks({
      load(url, context, next) {
        const made = next(url, context)
        if (url.endsWith('/config/version.ts')) {
          return { ...made, source: 'export const version = ' + JSON.stringify(version) }
        }
        if (!migration || !url.endsWith('/kernel/database/migrations.ts')) return made
        const run = 'async (knex) => { for (const sql of ' + JSON.stringify(migration.sql) + ') await knex.raw(sql) }'
        const entry = "'" + (migration.first ? '000-other' : '999-other') + "': " + run + ','
        const own = String(made.source)
        const changed = own.replace(/(const migrations[^{]*{)([^}]*)}/, (_, head, all) =>
          head + (migration.first ? entry + all : all + entry) + '}')
        if (changed === own) throw new Error('no list of migrations')
        return { ...made, source: changed }
      },
    })`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` }
}
