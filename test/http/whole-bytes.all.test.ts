/** Large files over real sockets: every byte comes back, whatever the chunks, beside other transfers. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Readable } from 'node:stream'
import t from 'tap'
import { guestOwner } from '../../kernel/people/owner.ts'
import { get, serviceOf } from '../harness/service.ts'

const service = await serviceOf(t, {
  change: (config) => Object.assign(config.plans.guest, { maxFileSize: null, storedBytes: null }),
})

const BOUNDARY = 'a-boundary-that-the-file-nearly-has'
const NEARLY = [`\r\n--${BOUNDARY.slice(0, -1)}!`, '\r\n--', '\r\n', '\r', `\r\n-${BOUNDARY}`, `--${BOUNDARY}--\r\n`]
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Random bytes with things that look like the boundary. */
function makeFile(size: number): Buffer {
  const bytes = randomBytes(size)
  bytes.write('STUB\n')
  for (let at = 1000; at < size - 1000; at += 1 + Math.floor(Math.random() * 60_000)) {
    bytes.write(NEARLY[at % NEARLY.length]!, at)
  }
  return bytes
}

const field = (name: string, text: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`

/** Uploads in pieces of random size, between two fields. @param announced Whether the length is sent first. */
async function send(bytes: Buffer, largest: number, announced: boolean): Promise<any> {
  const head = `${field('before', 'b'.repeat(3000))}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\n`
  const tail = `\r\n${field('after', 'a'.repeat(3000))}--${BOUNDARY}--\r\n`
  const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)])
  const message = request(`${service.base}/api/uploads`, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(announced && { 'content-length': form.length }),
    },
  })
  const answered = once(message, 'response') as Promise<[Readable]>
  for (let at = 0; at < form.length; ) {
    const size = 1 + Math.floor(Math.random() * largest)
    if (!message.write(form.subarray(at, at + size))) await once(message, 'drain')
    at += size
  }
  message.end()
  const [answer] = await answered
  return JSON.parse(Buffer.concat(await answer.toArray()).toString()).file
}

async function pathOf({ fileId }: { fileId: string }): Promise<string> {
  const token = await service.kernel.tokens.sign(guestOwner('127.0.0.1', undefined).id, fileId)
  return `/api/files/${encodeURIComponent(fileId)}/download?token=${token}`
}

t.test('uploads in pieces of any size', async (t) => {
  await Promise.all(
    [
      ...[20_000_000, 65_536, 65_537, 262_144].map((size) => ({ size, largest: 200_000, announced: true })),
      { size: 8_000_000, largest: 70_000, announced: false },
      { size: 300_000, largest: 200, announced: false },
    ].map(async ({ size, largest, announced }) => {
      const bytes = makeFile(size)
      const file = await send(bytes, largest, announced)
      t.equal(file.size, size)
      const { body } = await get(service, await pathOf(file))
      t.equal(digest(body), digest(bytes), `${size} bytes in pieces of up to ${largest}`)
    }),
  )
})
