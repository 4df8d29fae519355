import aws4 from 'aws4'
import { ServiceError } from '../errors.ts'
import { bytesOrNull, noSuchCloudFile, requireOk } from './answers.ts'
import type { Client } from './client.ts'
import { encodePath, isPlainPath, lastSegment } from './path.ts'
import type { CloudEntry, CredentialProvider, Credentials } from './provider.ts'
import { asSource } from './source.ts'
import { readTarget } from './target.ts'
import { child, children, readXml } from './xml.ts'

const LABEL = 'The bucket'

const FORMS = {
  bucket: { form: /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, rule: 'must be 2 to 63 letters, digits, ".", "-" and "_"' },
  region: { form: /^[a-z0-9-]{1,50}$/, rule: 'must be a region such as eu-central-1' },
  accessKeyId: { form: /^[\x21-\x7e]{1,256}$/, rule: 'must be the id of an access key' },
  secretAccessKey: { form: /^[\x21-\x7e]{1,1024}$/, rule: 'must be the secret of the access key' },
  sessionToken: { form: /^[\x21-\x7e]{1,4096}$/, rule: 'must be the token of a temporary access key' },
} as const

/** One bucket of Amazon S3 or a compatible server, with path-style addresses and Signature Version 4. */
export const s3: CredentialProvider = {
  kind: 'credentials',
  name: 's3',
  label: 'S3 bucket',
  fields: {
    bucket: { description: 'Name of the bucket.' },
    region: { description: 'Region, such as eu-central-1.' },
    endpoint: { description: 'Base URL of the server. Default: Amazon S3 in that region.', optional: true },
    accessKeyId: { description: 'ID of an access key that may list the bucket and read its objects.' },
    secretAccessKey: { description: 'Secret of that access key.' },
    sessionToken: { description: 'Session token of a temporary access key.', optional: true },
  },
  check(given, { gate }) {
    for (const [name, { form, rule }] of Object.entries(FORMS)) {
      if (given[name] !== undefined && !form.test(given[name])) throw new ServiceError('BAD_REQUEST', `${name} ${rule}`)
    }
    const url = readTarget(given.endpoint ?? `https://s3.${given.region}.amazonaws.com`, gate, 'endpoint')
    if (url.pathname !== '/' || url.search || url.hash) {
      throw new ServiceError('BAD_REQUEST', 'endpoint must be a URL without a path')
    }
    return { ...given, endpoint: url.origin }
  },
  drive(credentials, client) {
    const request = createAsk(credentials, client)
    return {
      async list({ folder = '', cursor }, signal) {
        const query = {
          'list-type': '2',
          'encoding-type': 'url',
          delimiter: '/',
          'max-keys': '200',
          prefix: folder,
          ...(cursor !== undefined && { 'continuation-token': cursor }),
        }
        const xml = await readXml(requireOk(await request('', query, signal), LABEL, cursor), LABEL)
        const folders = children(xml, 'CommonPrefixes').map((item) => decode(child(item, 'Prefix')?.text))
        const objects = children(xml, 'Contents').map((item) => ({
          key: decode(child(item, 'Key')?.text),
          size: bytesOrNull(child(item, 'Size')?.text),
        }))
        const files: CloudEntry[] = [
          ...folders.map((ref) => ({ ref, name: lastSegment(ref), size: null, isFolder: true })),
          // Some programs create a folder as an empty object whose key ends with a slash.
          ...objects
            .filter(({ key }) => key && !key.endsWith('/'))
            .map(({ key, size }) => ({ ref: key, name: lastSegment(key), size, isFolder: false })),
        ]
        const more = child(xml, 'IsTruncated')?.text === 'true'
        return { files, nextCursor: (more && child(xml, 'NextContinuationToken')?.text) || null }
      },

      async open(ref, allowance) {
        if (!isPlainPath(ref) || ref.endsWith('/')) throw noSuchCloudFile(LABEL)
        const content = requireOk(await request(`/${encodePath(ref)}`, {}, allowance.signal), LABEL)
        return asSource(content, lastSegment(ref), allowance)
      },
    }
  },
}

/** Sends a signed request. It follows no redirect: the signature is valid for one server only. */
function createAsk({ endpoint, bucket = '', region, ...key }: Credentials, client: Client) {
  return (path: string, query: Record<string, string>, signal: AbortSignal) => {
    // aws4 signs `+` as a space. A server that reads it as a plus would compute another signature.
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    const url = new URL(`${endpoint}/${encodePath(bucket)}${path}${search && `?${search}`}`)
    const request = {
      service: 's3',
      region,
      method: 'GET',
      host: url.host,
      path: url.pathname + url.search,
      headers: {},
    }
    const { headers } = aws4.sign(request, key as { accessKeyId: string; secretAccessKey: string })
    return client.send(url, { headers: headers as Record<string, string>, redirects: 0, field: 'endpoint', signal })
  }
}

/** Decodes a key of a listing with `encoding-type=url`. */
function decode(text = ''): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    return text
  }
}
