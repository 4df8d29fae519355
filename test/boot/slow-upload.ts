import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

/** Sends all but the end of an upload. */
export async function beginUpload(base: string) {
  const body =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\nslowly sent\r\n--b--\r\n'
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': body.length }
  const upload = request(`${base}/api/uploads`, { method: 'POST', headers })
  const answer = once(upload, 'response') as Promise<[IncomingMessage]>
  // A test that expects no answer looks at it later.
  answer.catch(() => {})
  const rest = [...body.slice(-25)]
  await new Promise((sent) => upload.write(body.slice(0, -25), sent))
  return { upload, answer, rest }
}
