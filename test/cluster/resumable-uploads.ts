/** Resumable uploads to nodes that share an S3 server, as clients send them, and looks behind them. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'
import { TUS } from '../http/tus.ts'

export const MIB = 1024 ** 2

/** Two whole pieces, and a bit more. */
export const source = Buffer.concat([Buffer.from('STUB\n'), randomBytes(18 * MIB)])

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export interface Answer {
  status: number
  json: any
}

export const declared = (size: number): Record<string, string> => ({ 'upload-length': `${size}` })

/** The header of a client that does not know the length yet. */
export const LATER = { 'upload-defer-length': '1' }

/** The header with the checksum of a part. */
export const checksumOf = (bytes: Buffer) => ({
  'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
})

/** @param cluster Whose S3 server and database hold nothing but what these uploads make. */
export function createUploads(cluster: Cluster) {
  /** Begins an upload. The result sends requests about it to any node. */
  async function begin(node: ClusterNode, length: Record<string, string> = declared(source.length)) {
    const headers = { ...TUS, ...length, 'upload-metadata': `filename ${btoa('a.stub')}` }
    const begun = await fetch(`${node.base}/api/uploads/tus`, { method: 'POST', headers })
    const name = begun.headers.get('location')!.split('/').at(-1)!
    const path = `/api/uploads/tus/${name}`
    const ask = async ({ base }: ClusterNode, method: string) => fetch(base + path, { method, headers: TUS })

    /** Begins to send bytes from an offset on. */
    function open({ base }: ClusterNode, offset: number, length: number, more: Record<string, string> = {}) {
      const type = { 'content-type': 'application/offset+octet-stream' }
      const place = { 'upload-offset': offset, 'content-length': length }
      const sent = request(base + path, {
        method: 'PATCH',
        agent: false,
        headers: { ...TUS, ...type, ...place, ...more },
      })
      const answer = (async () => {
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        const body = await text(response)
        return { status: response.statusCode!, json: body && JSON.parse(body) }
      })()
      // A broken one is seen by those who wait for it.
      answer.catch(() => {})
      sent.on('error', () => {})
      return { sent, answer }
    }

    return {
      name,
      open,
      /** Sends bytes of the source, and waits for the answer. */
      async send(node: ClusterNode, offset: number, end = source.length, more: Record<string, string> = {}) {
        const { sent, answer } = open(node, offset, end - offset, more)
        sent.end(source.subarray(offset, end))
        return answer
      },
      /** Asks how much has arrived. Asks again while another request holds the upload. */
      async offset(node: ClusterNode): Promise<number> {
        let answer = await ask(node, 'HEAD')
        await until(async () => {
          if (answer.status === 503) answer = await ask(node, 'HEAD')
          return answer.status !== 503
        })
        if (answer.status !== 200) throw new Error(`HEAD: ${answer.status}`)
        return Number(answer.headers.get('upload-offset'))
      },
      /** Gives the upload up. Returns the status. */
      remove: async (node: ClusterNode): Promise<number> => (await ask(node, 'DELETE')).status,
      /** Asks for the file. */
      async file({ base }: ClusterNode): Promise<Answer> {
        const answer = await fetch(base + path)
        return { status: answer.status, json: await answer.json() }
      },
      /** Bytes that the database counts. */
      received: () => cluster.count(`select received from resumable_uploads where id = '${name}'`),
      /** Objects of the pieces. */
      pieces: async () => (await cluster.objects()).filter((key) => key.includes(name)),
    }
  }

  /** Only what records name is stored and charged. */
  async function nothingElse(t: Test): Promise<void> {
    const files = await cluster.rows('select `key`, size, sha256 from files')
    const keys = files.map(({ key }) => key).sort()
    await until(async () => (await cluster.objects()).length === keys.length).catch(() => {})
    t.strictSame((await cluster.objects()).sort(), keys, 'only what records name is stored')
    const open = 'select coalesce(sum(reserved), 0) from resumable_uploads'
    const charged = await cluster.count('select coalesce(max(bytes), 0) from stored_bytes')
    const expected = files.reduce((sum, { size }) => sum + Number(size), 0) + (await cluster.count(open))
    t.equal(charged, expected, 'each byte is charged once')
  }

  return {
    begin,
    nothingElse,

    /** The stored file is the source; its bytes are charged once, and nothing else is stored. */
    async isWhole(t: Test, { status, json }: Answer): Promise<void> {
      t.equal(status, 200, JSON.stringify(json))
      t.equal(digestOf(await cluster.read(json.file.fileId)), digestOf(source))
      await nothingElse(t)
    },

    /** Sends the first `bytes` to a node, and waits until a piece of them counts. The request stays open. */
    async sendSome(upload: Awaited<ReturnType<typeof begin>>, node: ClusterNode, bytes: number) {
      const begin = () => {
        const opened = upload.open(node, 0, source.length)
        opened.sent.write(source.subarray(0, bytes))
        return opened
      }
      let { sent, answer } = begin()
      await until(async () => {
        if ((await upload.received()) > 0) return true
        const early = await Promise.race([answer, delay(0)])
        // A server is slow, as on a busy machine.
        if (early?.status === 503) ({ sent, answer } = begin())
        else if (early) throw new Error(`PATCH: ${JSON.stringify(early)}`)
        return false
      })
      return { sent, answer }
    },
  }
}
