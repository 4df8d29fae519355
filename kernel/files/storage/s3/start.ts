import { HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import { StartError } from '../../../errors.ts'
import { type Bucket, reasonOf, statusOf } from './client.ts'

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
