import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import type { StoragePlace } from '../../../../config/storage-url.ts'
import { StartError, storageAway } from '../../../errors.ts'
import { tooShort } from '../file-stream.ts'
import { orAborted } from '../or-aborted.ts'

export type Bucket = StoragePlace & { driver: 's3' }

/** How long a server may take, in milliseconds. */
export interface Timeouts {
  /** Attempts of each request, and of each stretch of a download without progress. */
  attempts: number
  /** To connect. */
  connect: number
  /** Between two bytes. */
  idle: number
  /** To send a request and receive the head of its answer. A part of 8 MiB then needs 70 KB/s. */
  request: number
}

export const TIMEOUTS: Timeouts = { attempts: 3, connect: 5000, idle: 15_000, request: 120_000 }

/** The credentials come from the environment, a profile or the machine's role, as in all programs with the AWS SDK. */
export function createS3Client({ endpoint, region }: Bucket, { attempts, connect, idle, request }: Timeouts): S3Client {
  return new S3Client({
    ...(endpoint && { endpoint }),
    region: region ?? process.env.AWS_REGION ?? 'us-east-1',
    // Names of buckets in the host name would need DNS and certificates that own servers rarely have.
    forcePathStyle: true,
    // Many servers do not know the newer checksums. The signature covers the bytes, and the record has a SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connect,
      socketTimeout: idle,
      requestTimeout: request,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  })
}

/** @throws StartError if waiting will not help: there is no such bucket, or the server refuses the credentials. */
export async function requireBucket(client: S3Client, { bucket, endpoint }: Bucket, log: Logger): Promise<void> {
  const server = endpoint ?? 'Amazon S3'
  try {
    await client.config.credentials()
  } catch (cause) {
    const fault = `no credentials for ${server}; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE`
    throw new StartError(`STORAGE_URL: ${fault}.`, { cause })
  }
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (cause) {
    const fault = FAULTS[statusOf(cause) ?? 0]
    if (fault) throw new StartError(`STORAGE_URL: ${server} ${fault} (bucket ${bucket}).`)
    log.warn({ server, reason: reasonOf(cause) }, 'the storage server does not answer yet')
  }
}

/** The answer to HEAD has no body, so only the status tells why. */
const FAULTS: Readonly<Record<number, string>> = {
  301: 'has this bucket in another region; set region in STORAGE_URL',
  400: 'does not accept the region or the signature; set region in STORAGE_URL',
  401: 'refuses the credentials; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  403: 'refuses the credentials, or they do not allow s3:ListBucket',
  404: 'has no such bucket',
}

/** Connections to the server. Each download that is not in the cache holds one. */
const SOCKETS = 500

export interface SendRequest {
  /** Sends one request. @param name Its name, for the log. */
  <T>(name: string, send: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Whether the server did not answer the last request. */
  isAway(): boolean
}

/**
 * Makes the function that sends requests. It ends at once after an abort, and translates errors: a missing object or
 * upload has the code ENOENT, everything else becomes NOT_READY. The log gets neither messages of the server nor
 * headers, as these can have parts of credentials.
 */
export function createRequest(log: Logger): SendRequest {
  let away = false

  /** Logs a server that is away once. Everything that it refuses is logged. */
  function note(operation: string, error: unknown): void {
    const line = { operation, reason: reasonOf(error) }
    if ((statusOf(error) ?? 500) < 500) {
      log.warn(line, 'the storage server does not do what it was asked')
      return
    }
    log[away ? 'debug' : 'warn'](line, 'the storage is away')
    away = true
  }

  function noteAnswer(): void {
    if (away) log.info('the storage is back')
    away = false
  }

  const request = async <T>(
    name: string,
    send: (signal: AbortSignal) => Promise<T>,
    signal = new AbortController().signal,
  ): Promise<T> => {
    signal.throwIfAborted()
    try {
      // An abort also ends the pause between two attempts. The next attempt would see it.
      const answer = await orAborted(send(signal), signal)
      noteAnswer()
      return answer
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (isAbsent(name, error)) throw missing(name)
      // The range begins after the end of the object.
      if (statusOf(error) === 416) throw Object.assign(tooShort(), { final: true })
      note(name, error)
      throw storageAway(new Error(`${name}: ${reasonOf(error)}`))
    }
  }
  return Object.assign(request, { isAway: () => away })
}

interface SdkError extends NodeJS.ErrnoException {
  $metadata?: { httpStatusCode?: number; attempts?: number }
}

export const statusOf = (error: unknown) => (error as SdkError).$metadata?.httpStatusCode

/** Describes an error of the SDK without the words of the server. */
export function reasonOf(error: unknown): string {
  const { name, code, $metadata: { httpStatusCode, attempts } = {} } = error as SdkError
  return [code ?? name, httpStatusCode && `status ${httpStatusCode}`, attempts && `${attempts} attempts`]
    .filter(Boolean)
    .join(', ')
}

/** Whether the server says that it has no such object or upload. Proxies before a server also answer 404. */
const isAbsent = (name: string, error: unknown) =>
  ['NoSuchKey', 'NoSuchUpload'].includes((error as SdkError).name) || (name === 'HeadObject' && statusOf(error) === 404)

const missing = (name: string) => Object.assign(new Error(`${name}: no such object`), { code: 'ENOENT' })

export const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
