import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { createLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

/**
 * Opens the storage that the configuration names. Other drivers than that of the data folder are loaded only here: the
 * AWS SDK takes 200 ms and 35 MB.
 *
 * @param reader Group of the engines' user, if not the service's.
 * @throws StartError if it cannot be used.
 */
export async function openStorage(
  { storagePlace: place, dataDir, limits: { freeDisk }, storage, publicUrl }: Config,
  reader: number | undefined,
  log: Logger,
): Promise<Storage> {
  if (storage.redirectDownloads) requireOtherSite(place, publicUrl)
  if (!place) return createLocalStorage({ dataDir, freeDisk, reader })
  if (place.driver === 'folder') {
    const { createSharedStorage } = await import('./shared-folder.ts')
    return createSharedStorage({ folder: place.folder, freeDisk, reader })
  }
  const { createS3Storage } = await import('./s3/s3.ts')
  const { cacheSize, redirectDownloads: links } = storage
  return createS3Storage({ ...{ place, dataDir, freeDisk, reader, cacheSize, links, log } })
}

/**
 * Redirected downloads cannot have the headers that keep a file from running as a page of the service. So they need a
 * server whose pages are of another site.
 *
 * @throws StartError
 */
function requireOtherSite(place: Config['storagePlace'], publicUrl: string | undefined): void {
  if (place?.driver !== 's3') throw new StartError('storage.redirectDownloads: needs an S3 server in STORAGE_URL.')
  if (!place.endpoint || !publicUrl) return
  const [one, other] = [place.endpoint, publicUrl].map((url) => `.${new URL(url).hostname}`) as [string, string]
  if (!one.endsWith(other) && !other.endsWith(one)) return
  throw new StartError(
    'storage.redirectDownloads: the host in STORAGE_URL must not be that of PUBLIC_URL or related to it.',
  )
}
