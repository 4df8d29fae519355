import { randomUUID } from 'node:crypto'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { createCatalogue } from '../../kernel/catalogue/catalogue.ts'
import { createOptionsValidator } from '../../kernel/catalogue/options.ts'
import type { Engine, Plugin } from '../../kernel/contract.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { createRecognise } from '../../kernel/detection/recognise.ts'
import { ConversionFailure } from '../../kernel/errors.ts'
import { createChanges } from '../../kernel/events/changes.ts'
import { createConversionEvents } from '../../kernel/events/events.ts'
import { createLocalStorage } from '../../kernel/files/storage/local.ts'
import type { Recorded, Storage } from '../../kernel/files/storage/storage.ts'
import { createFiles } from '../../kernel/files/uploads/files.ts'
import { createJobs } from '../../kernel/jobs/create-jobs.ts'
import { createLog } from '../../kernel/log.ts'
import type { guestOwner } from '../../kernel/people/owner.ts'
import { createQuotas } from '../../kernel/people/quotas.ts'
import { createStoredBytes } from '../../kernel/people/stored-bytes.ts'
import { createTeams } from '../../kernel/people/teams.ts'
import { createUsers } from '../../kernel/people/users.ts'
import { noSandboxes } from '../../kernel/sandbox/sandboxes.ts'
import { passThrough } from '../../kernel/tracing/tracing.ts'
import recognisers from '../../plugins/formats/index.ts'
import { folderOf, newFolder } from './folder.ts'
import { openFolder, type Run } from './plain-sandbox.ts'
import { startMariaDb } from './servers/mariadb.ts'

const tr: Engine = { name: 'tr', binary: ['tr'], version: ['--version'], argv: () => [] }
/** Only the engine is replaced: it makes capitals, and tests control when it ends. */
const plugin: Plugin = {
  category: 'letters',
  formats: {
    low: { mime: 'text/x-low', sniff: (head) => head[0] === 0x6c },
    upp: { mime: 'text/x-upp', label: 'Upper case', sniff: (head) => head[0] === 0x4c },
  },
  options: {
    hold: { type: 'boolean', default: false, description: 'Waits until it is cancelled.' },
    refuse: { type: 'boolean', default: false, description: 'Fails.' },
    heavy: { type: 'boolean', default: false, description: 'Is heavy.' },
  },
  heavy: ({ options }) => options.heavy,
  routes: [{ engine: tr, from: ['low'], to: ['upp'], args: () => [] }],
}
const plugins = [{ plugin, state: 'open' as const, outside: true }]
const probes = new Map([[tr, { path: '/usr/bin/tr', version: '1', features: '' }]])
const options = createOptionsValidator([plugin])
const loaded = { recognisers, plugins, probes, options, catalogue: createCatalogue(plugins, probes) }

/** Parts of a service that a test replaces. */
export interface Replaced {
  /** Runs in each conversion before its result is made. */
  before?: () => Promise<void>
}

/** A service without HTTP, which ends with the test. */
export type ConversionService = Awaited<ReturnType<typeof open>>

/** @param databaseUrl Undefined: SQLite in the data folder. */
async function open(
  t: Test,
  dataDir: string,
  databaseUrl: string | undefined,
  change: (config: Config) => void = () => {},
  { before = async () => {} }: Replaced = {},
) {
  const config: Config = { ...loadConfig({ env: { DATA_DIR: dataDir }, argv: [] }), databaseUrl }
  Object.assign(config.queue, { workers: 4, heavyWorkers: 1 })
  change(config)
  const log = createLog('silent')
  const database = await openDatabase({ url: databaseUrl, dataDir })
  const { storage, checkedOut } = lending(await createLocalStorage({ dataDir, freeDisk: 0 }), dataDir)
  const quotas = createQuotas({ config, database })
  const users = createUsers(database)
  const teams = createTeams({ database, users })
  const events = createConversionEvents()
  const changes = createChanges()
  const storedBytes = createStoredBytes({ config, database })
  const stopping = new AbortController()
  const { signal } = stopping
  const recognise = createRecognise(loaded)
  const { catalogue } = loaded
  const given = { config, log, database, storage, catalogue, recognise, storedBytes, changes }
  const files = createFiles(given, (key) => records.sourceRemoved(key))
  let runs = 0
  const upper: Run = async (_, __, { signal, options, input, output }, ___, report) => {
    runs++
    report(0.5)
    await before()
    signal.throwIfAborted()
    const { hold, refuse } = options as Record<string, boolean>
    if (hold) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    if (refuse) throw new ConversionFailure('CONVERSION_ERROR', 'The file is refused')
    await writeFile(output, (await readFile(input, 'utf8')).toUpperCase())
    return []
  }
  const sandboxes = { ...noSandboxes, open: async () => openFolder(await newFolder(dataDir), upper) }
  const made = { ...given, files, sandboxes, loaded, offered: loaded, teams, quotas, events, tracing: passThrough }
  const parts = createJobs({ ...made, stopping: signal, drained: signal })
  const { scheduler, batches, end: conclude } = parts
  const { start, downloadable, ...records } = parts.conversions
  const end = async () => {
    stopping.abort()
    await scheduler.close(0)
    await database.destroy()
  }
  t.teardown(() => end().catch(() => {}))
  return {
    config,
    database,
    storage,
    scheduler,
    records,
    files,
    quotas,
    batches,
    start,
    end,
    runs: () => runs,
    conclude,
    checkedOut,
    changes,
    downloadable,
    storedBytes,
    async upload(owner: ReturnType<typeof guestOwner>, content = 'lower', name = 'a.low') {
      const arrival = await files.expect(owner, 0)
      const staged = await files.stage(arrival, Readable.from([content]), new AbortController().signal)
      return (await files.admit(owner, staged, name)).file
    },
  }
}

/** Storage that lends a copy of a file, as remote storage does. The copy is removed when it is given back. */
function lending(local: Storage, dataDir: string) {
  const lent = new Set<string>()
  async function checkOut(key: string, recorded: Recorded) {
    const path = join(dataDir, `lent-${randomUUID()}`)
    await using stored = await local.checkOut(key, recorded)
    await copyFile(stored.path, path)
    lent.add(path)
    const giveBack = async () => {
      await rm(path)
      lent.delete(path)
    }
    return { path, [Symbol.asyncDispose]: giveBack }
  }
  return { storage: { ...local, checkOut } satisfies Storage, checkedOut: () => [...lent] }
}

/**
 * Starts a service on a new data folder. `another` starts one more on the same data.
 *
 * @param databaseUrl Returns the URL of an empty database; undefined: SQLite.
 */
export async function setUp(
  t: Test,
  databaseUrl: () => Promise<string | undefined>,
  change?: (config: Config) => void,
  replaced?: Replaced,
) {
  const dataDir = await folderOf(t)
  const url = await databaseUrl()
  const another = (change?: (config: Config) => void, replaced?: Replaced) => open(t, dataDir, url, change, replaced)
  return { dataDir, url, another, ...(await another(change, replaced)) }
}

/**
 * Runs a suite on SQLite and on MariaDB. Each service has its own database.
 *
 * @param differs Whether the behaviour depends on the database. If not, MariaDB waits for `npm run test:all`.
 */
export function onBothDatabases(
  suite: (t: Test, databaseUrl: () => Promise<string | undefined>) => Promise<void>,
  differs = false,
) {
  t.test('on SQLite', (t) => suite(t, async () => undefined))
  if (!differs && !process.env.TESTS_ALL) return
  t.test('on MariaDB', { timeout: 900_000 }, async (t) => {
    await using server = await startMariaDb()
    let made = 0
    await suite(t, () => server.create(`records_${++made}`))
  })
}
