import type { S3Client } from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import type { Bucket } from './client.ts'

/** Seconds for which a link is valid. */
const LIFETIME = 60

/** Creates links for one object that need no credential. Browsers save the answer and never show it. */
export function createLinkTo(client: S3Client, { bucket, prefix, endpoint }: Bucket) {
  return async function linkTo(key: string, disposition: string): Promise<string> {
    const [credentials, region] = await Promise.all([client.config.credentials(), client.config.region()])
    const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
    const query = new URLSearchParams({
      'X-Amz-Expires': String(LIFETIME),
      'response-content-type': 'application/octet-stream',
      'response-content-disposition': disposition,
      'response-cache-control': 'private, no-store',
    })
    // aws4 signs `+` as a space. A server that reads it as a plus would compute another signature.
    const path = `/${bucket}/${prefix}${key}?${query.toString().replaceAll('+', '%20')}`
    const signed = aws4.sign(
      { service: 's3', region, signQuery: true, method: 'GET', host: base.host, path },
      credentials,
    )
    return base.origin + signed.path
  }
}
