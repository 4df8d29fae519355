import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import { PENDING } from '../database/tables/conversions.ts'
import { ServiceError, StartError } from '../errors.ts'
import type { Files } from '../files/uploads/files.ts'
import type { Conversions } from '../jobs/create-jobs.ts'
import type { Downloadable } from '../jobs/downloads.ts'
import { startOrOptimise } from '../jobs/start.ts'
import { nearest } from '../nearest.ts'
import type { Owner } from '../people/owner.ts'
import { digestOf } from '../people/secret.ts'
import { type Convert, Unconvertible } from './convert.ts'
import { watchFolder } from './watched-folder.ts'

/** Seconds of one wait for the end of a conversion. */
const WAIT = 60

type WatchConfig = Config['watch'][number]

interface Parts {
  config: Config
  files: Files
  conversions: Conversions
  offered: LoadedCatalogue
  settings: { maintenance: boolean }
  log: Logger
  signal: AbortSignal
}

/**
 * Watches the configured folders until the signal aborts.
 *
 * @returns `begin` starts; it resolves when nothing is in progress any more.
 * @throws StartError for a target or options that do not exist.
 */
export function createWatches(parts: Parts): { begin(): Promise<unknown> } {
  const { config, offered, log, signal } = parts
  const watches = config.watch.map((watch, at) => {
    checkTarget(offered, watch, `watch[${at}]`)
    const from = resolve(config.baseDir, watch.from)
    const into = resolve(config.baseDir, watch.into)
    if (from === into) throw new StartError(`watch[${at}].into: results would be converted again; use another folder`)
    return { ...watch, from, into }
  })
  return {
    begin: () =>
      Promise.all(
        watches.map((watch) => {
          const named = log.child({ watch: watch.from })
          return watchFolder(
            { ...watch, concurrency: config.queue.workers ?? availableParallelism() * 2 },
            converter(parts, watch, ownerOf(watch)),
            {
              ended(name, outcome) {
                if ('result' in outcome) named.info({ file: name, result: outcome.result }, 'watched file converted')
                else named.warn({ file: name, reason: outcome.failure }, 'watched file failed')
              },
              postponed: (name, err) => named.warn({ file: name, err }, 'watched file is tried again later'),
              away: (err) => named.error({ err }, 'watched folder is away'),
              back: () => named.info('watched folder is back'),
            },
            signal,
          )
        }),
      ),
  }
}

function checkTarget({ catalogue, options }: LoadedCatalogue, watch: WatchConfig, key: string): void {
  const to = catalogue.canonical(watch.to)
  const pair = [...catalogue.pairs.values()].find((pair) => pair.to === to)
  if (!pair) {
    const targets = [...new Set([...catalogue.pairs.values()].map((pair) => pair.to))]
    const guess = nearest(watch.to, targets)
    throw new StartError(`${key}.to: no file can become "${watch.to}"${guess ? `; did you mean ${guess}?` : ''}`)
  }
  try {
    options.check(pair.plugin, pair.to, watch.options)
  } catch (error) {
    throw new StartError(`${key}.${(error as Error).message}`)
  }
}

/** The owner of what a folder brings. It is nobody's client, and has the limits of its plan for itself. */
function ownerOf({ from, plan }: WatchConfig): Owner {
  const name = `watch_${digestOf(from).slice(0, 40)}`
  return { id: `guest_${name}`, kind: 'guest', plan, chargeTo: [name], client: name }
}

function converter({ files, conversions, settings }: Parts, watch: WatchConfig, owner: Owner): Convert {
  const { to, options } = watch

  /** Uploads the file and starts its conversion. */
  async function start(path: string, name: string, signal: AbortSignal): Promise<string> {
    if (settings.maintenance) throw new ServiceError('MAINTENANCE_MODE', 'The service is in maintenance')
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const { size } = await file.stat()
    const arrival = await files.expect(owner, size)
    const staged = await files.stage(arrival, file.createReadStream(), signal)
    const upload = await files.admit(owner, staged, name, signal)
    const fileId = upload.file.key
    try {
      const request = { fileId, toFormat: to, fileName: name, options }
      return (await startOrOptimise(conversions.start, owner, request)).conversionId
    } catch (error) {
      await files.erase(fileId)
      throw error
    }
  }

  /** Resolves to the result; undefined if there is no such conversion any more. */
  async function result(id: string, signal: AbortSignal): Promise<Downloadable | undefined> {
    for (;;) {
      const conversion = await conversions.wait(owner, id, WAIT, signal).catch(ifMissing)
      signal.throwIfAborted()
      if (conversion && PENDING.includes(conversion.status)) continue
      if (conversion?.error) {
        await files.erase(await conversions.source(owner, id))
        throw new Unconvertible(conversion.error.message)
      }
      return conversion && conversions.downloadable(id)
    }
  }

  return async ({ path, name }, earlier, note, signal) => {
    let id = earlier
    let item = id === undefined ? undefined : await result(id, signal)
    if (!item) {
      id = await start(path, name, signal).catch(refused)
      await note(id)
      item = await result(id, signal)
    }
    if (!item || !id) throw new Error('The result has expired')
    const conversion = id
    return {
      name: item.name,
      open: () => files.open(item),
      async release() {
        const source = await conversions.source(owner, conversion).catch(ifMissing)
        if (source) await files.erase(source)
        await conversions.remove(owner, conversion).catch(ifMissing)
      },
    }
  }
}

/** A refusal that concerns the file is final. */
function refused(error: unknown): never {
  if (error instanceof ServiceError && error.status >= 400 && error.status < 500 && error.status !== 429) {
    throw new Unconvertible(error.message)
  }
  throw error
}

function ifMissing(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'NOT_FOUND') return undefined
  throw error
}
