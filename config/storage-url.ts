/** A folder that several nodes share, or a bucket on an S3 server. */
export type StoragePlace =
  | { driver: 'folder'; folder: string }
  | {
      driver: 's3'
      bucket: string
      /** Ends with `/`, or is empty. */
      prefix: string
      /** Origin of the server; undefined: Amazon S3. */
      endpoint: string | undefined
      /** Undefined: from the environment, as the AWS SDK reads it. */
      region: string | undefined
    }

/** What `STORAGE_URL` may be, for messages. */
export const STORAGE_FORMS =
  'file:///absolute/folder, or s3://bucket/prefix?endpoint=https://host&region=name without credentials'

/** Bucket names of Amazon S3. All others would need to be encoded. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** With the service's own keys, no more than 200 characters, this stays below the 1,024 bytes of S3. */
const PREFIX = /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/
const REGION = /^[a-z0-9-]{1,50}$/

/**
 * Reads a `STORAGE_URL`. Returns undefined if it is invalid. Credentials come from the environment, never from the URL,
 * because URLs appear in lists of processes and in logs.
 */
export function readStorageUrl(text: string): StoragePlace | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.port || url.hash) return undefined
  if (url.protocol === 'file:') return readFolder(url)
  return url.protocol === 's3:' ? readBucket(url) : undefined
}

function readFolder({ host, pathname, search }: URL): StoragePlace | undefined {
  if (host || search || pathname === '/' || !/^[A-Za-z0-9._/-]+$/.test(pathname)) return undefined
  return { driver: 'folder', folder: pathname.replace(/\/+$/, '') }
}

function readBucket({ hostname: bucket, pathname, searchParams }: URL): StoragePlace | undefined {
  const [endpoint, region] = ['endpoint', 'region'].map((name) => searchParams.get(name) ?? undefined)
  const path = pathname.replace(/^\/+|\/+$/g, '')
  const prefix = path && `${path}/`
  const known = [...searchParams.keys()].every((name, at, all) => NAMES.includes(name) && all.indexOf(name) === at)
  if (!known || !BUCKET.test(bucket) || !PREFIX.test(prefix) || prefix.length > 500) return undefined
  if (region !== undefined && !REGION.test(region)) return undefined
  if (endpoint !== undefined && !isOrigin(endpoint)) return undefined
  return { driver: 's3', bucket, prefix, endpoint: endpoint && new URL(endpoint).origin, region }
}

const NAMES = ['endpoint', 'region']

/** Whether a text is the URL of a server, without a path, a query or credentials. */
function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return !!url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)
}

/** Says in a few words where files are stored, for the operator. */
export function describeStorage(place: StoragePlace | undefined): string {
  if (!place) return 'the data folder'
  if (place.driver === 'folder') return `the shared folder ${place.folder}`
  const { bucket, prefix, endpoint } = place
  return `the S3 bucket ${bucket} at ${endpoint ?? 'Amazon'}${prefix && `, below ${prefix}`}`
}
