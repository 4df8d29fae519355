import type { Knex } from 'knex'
import * as files from './migrations/001-files-and-conversions.ts'
import * as accounts from './migrations/002-accounts.ts'
import * as limits from './migrations/003-limits.ts'
import * as connections from './migrations/004-connections.ts'
import * as teams from './migrations/005-teams.ts'
import * as storedBytes from './migrations/006-stored-bytes.ts'
import * as trails from './migrations/007-trails.ts'
import * as teamInvitations from './migrations/008-team-invitations.ts'
import * as fence from './migrations/009-fence.ts'
import * as folder from './migrations/010-folder.ts'
import * as contentHash from './migrations/011-content-hash.ts'
import * as lanes from './migrations/012-lanes.ts'
import * as nodes from './migrations/013-nodes.ts'
import * as chosenResults from './migrations/014-chosen-results.ts'
import * as laneOrder from './migrations/015-lane-order.ts'
import * as roles from './migrations/016-roles.ts'
import * as resumableUploads from './migrations/017-resumable-uploads.ts'
import * as waitingOrder from './migrations/018-waiting-order.ts'
import * as admissionLock from './migrations/019-admission-lock.ts'

/** All migrations in order. A released name never changes. */
const migrations: Record<string, Knex.Migration> = {
  '001-files-and-conversions': files,
  '002-accounts': accounts,
  '003-limits': limits,
  '004-connections': connections,
  '005-teams': teams,
  '006-stored-bytes': storedBytes,
  '007-trails': trails,
  '008-team-invitations': teamInvitations,
  '009-fence': fence,
  '010-folder': folder,
  '011-content-hash': contentHash,
  '012-lanes': lanes,
  '013-nodes': nodes,
  '014-chosen-results': chosenResults,
  '015-lane-order': laneOrder,
  '016-roles': roles,
  '017-resumable-uploads': resumableUploads,
  '018-waiting-order': waitingOrder,
  '019-admission-lock': admissionLock,
}

/** Migrations as modules, so that knex need not search the disk. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name]!,
}

/** Names of the migrations that this version knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)
