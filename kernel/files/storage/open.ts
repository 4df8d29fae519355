import { rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { StartError } from '../../errors.ts'
import { createLocalStorage } from './local.ts'
import { openPartFiles } from './part-files.ts'
import type { Parts } from './parts.ts'
import type { Storage } from './storage.ts'

/**
 * Opens the storage that the configuration names. Other drivers than that of the data folder are loaded only here: the
 * AWS SDK takes 200 ms and 35 MB.
 *
 * @param reader Group of the engines' user, if not the service's.
 * @throws StartError if it cannot be used.
 */
export async function openStorage(config: Config, reader: number | undefined, log: Logger): Promise<Storage> {
  const { storagePlace: place, dataDir, storage } = config
  const { freeDisk } = config.limits
  if (storage.redirectDownloads) requireOtherSite(config)
  if (!place) return createLocalStorage({ dataDir, freeDisk, reader })
  if (place.driver === 'folder') {
    const { createSharedStorage } = await import('./shared-folder.ts')
    return createSharedStorage({ folder: place.folder, freeDisk, reader })
  }
  const { createS3Storage } = await import('./s3/s3.ts')
  const { cacheSize, redirectDownloads: links } = storage
  return createS3Storage({ place, dataDir, freeDisk, reader, cacheSize, links, log })
}

/** Opens what keeps the bytes of unfinished uploads: the data folder of the only node, or the storage of several. */
export async function openParts({ dataDir, redisUrl }: Config, storage: Storage): Promise<Parts> {
  const folder = join(dataDir, 'parts')
  if (!redisUrl) return openPartFiles(folder, storage)
  // Those of a time when this node was the only one: nobody can continue them.
  await rm(folder, { recursive: true, force: true })
  const { createPartObjects } = await import('./part-objects.ts')
  return createPartObjects(storage)
}

/**
 * Redirected downloads cannot have the headers that keep a file from running as a page of the service. So they need a
 * server whose pages are of another site.
 *
 * @throws StartError
 */
function requireOtherSite({ storagePlace: place, publicUrl, http }: Config): void {
  if (place?.driver !== 's3') throw new StartError('storage.redirectDownloads: needs an S3 server in STORAGE_URL.')
  if (!publicUrl) {
    throw new StartError(
      'storage.redirectDownloads: needs PUBLIC_URL, whose host must be of another site than the S3 server.',
    )
  }
  const server = place.endpoint ? new URL(place.endpoint).hostname : AMAZON
  const own = [new URL(publicUrl).hostname, ...http.hosts].find((host) => isSameSite(host, server))
  if (own === undefined) return
  throw new StartError(
    `storage.redirectDownloads: the S3 server ${server} must be of another site than ${own} of PUBLIC_URL or http.hosts: their last two labels must differ.`,
  )
}

/** Where Amazon S3 is, in all regions but those of China, which share no name with others. */
const AMAZON = 'amazonaws.com'

/**
 * Whether browsers may count two hosts as one site, so that pages of one can reach cookies or storage of the other.
 * Without the list of public suffixes, hosts count as one site if they share their last two labels. So it can say yes
 * wrongly, as for two owners below `co.uk`, but not no: shorter public suffixes have one label.
 *
 * @param one Host name or address as in `URL.hostname`.
 */
export function isSameSite(one: string, other: string): boolean {
  const first = bare(one)
  const second = bare(other)
  if (first === second) return true
  if (isIP(first) || isIP(second)) return false
  const isBelow = `.${first}`.endsWith(`.${second}`) || `.${second}`.endsWith(`.${first}`)
  return isBelow || (first.includes('.') && endOf(first) === endOf(second))
}

const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const endOf = (host: string) => host.split('.').slice(-2).join('.')
