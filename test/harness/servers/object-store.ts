import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { ListMultipartUploadsCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import { newFolder, removeFolder } from '../folder.ts'
import { freePort } from '../free-port.ts'
import { descendants, untilGone } from '../processes.ts'
import { startChild } from './child.ts'

/** An S3 server for a test, with one key. */
export interface ObjectStore extends AsyncDisposable {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Sends a signed request. `path` is `/bucket/key`, percent-encoded. Resolves to the status. */
  send(method: 'PUT' | 'DELETE', path: string, body?: string): Promise<number>
  /** Has the key. */
  client: S3Client
  /** Lists the keys of a bucket's objects, and those of its incomplete uploads. */
  list(bucket: string): Promise<{ stored: string[]; uploads: string[] }>
}

/**
 * Returns the environment of a service that stores files in a bucket.
 * @param endpoint Of a proxy in front of the server.
 */
export function environmentOf(store: ObjectStore, bucket: string, endpoint = store.endpoint): NodeJS.ProcessEnv {
  const STORAGE_URL = `s3://${bucket}?endpoint=${endpoint}&region=${store.region}`
  return { STORAGE_URL, AWS_ACCESS_KEY_ID: store.accessKeyId, AWS_SECRET_ACCESS_KEY: store.secretAccessKey }
}

/** Starts OpenStack Swift with its S3 interface (Debian: python3-swift) on loopback. It checks signatures. */
export async function startObjectStore(): Promise<ObjectStore> {
  const folder = await newFolder()
  const port = await freePort()
  const script = join(import.meta.dirname, 'object-store.py')
  const endpoint = `http://127.0.0.1:${port}`
  const key = { accessKeyId: 'athanor:ada', secretAccessKey: 's3cret' }
  const region = 'eu-test-1'

  /** Whether each of its servers answers: those of accounts, of containers and of objects. */
  async function answers(): Promise<boolean> {
    const status = (method: string, path: string) => send(method, path).catch(() => 500)
    // 409: an earlier try has made the bucket.
    if (![200, 409].includes(await status('PUT', '/ready')) || (await status('PUT', '/ready/object')) !== 200)
      return false
    return (await status('DELETE', '/ready/object')) === 204 && (await status('DELETE', '/ready')) === 204
  }

  async function send(method: string, path: string, body = ''): Promise<number> {
    const { headers } = aws4.sign({ service: 's3', region, method, path, body, host: `127.0.0.1:${port}` }, key)
    const { Host: _, ...rest } = headers as Record<string, string>
    // Not fetch, which would use a connection that Swift is about to close.
    const request = httpRequest(endpoint + path, { method, headers: rest, agent: false }).end(body)
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return answer.statusCode!
  }

  const server = await startChild(['/usr/bin/python3', script, folder, `${port}`], answers, { stdio: 'ignore' })
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: key,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    endpoint,
    region,
    ...key,
    send,
    client,
    async list(Bucket) {
      const stored: string[] = []
      // Without the segments of multipart uploads, which Swift keeps elsewhere.
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
        stored.push(...Contents.map(({ Key }) => Key!))
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
      return { stored, uploads: Uploads.map(({ Key }) => Key!) }
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      // Each of its servers leads its own process group.
      const all = [...descendants(server.pid), server.pid]
      for (const pid of all) process.kill(pid, 'SIGKILL')
      await untilGone(all, 60_000)
      await removeFolder(folder)
    },
  }
}
