import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two polls. Its page polls once a second; the measurement shall not wait for that. */
const INTERVAL = 20
/** Milliseconds for one conversion. A failed one is never told. */
const TIMEOUT_MS = 60_000

/**
 * A client of a running ConvertX, which has no API: it does what the page does. Each conversion is one of a new
 * visitor, as ConvertX makes one for each visit without an account.
 *
 * @param base The URL of a ConvertX that runs with ALLOW_UNAUTHENTICATED=true and HTTP_ALLOWED=true.
 * @param converter The name of one of its converters, such as `vips`.
 * @returns what uploads a file, converts it and downloads the result. Throws if it fails.
 */
export function convertx(base: string, converter: string): (source: string, to: string) => Promise<void> {
  return async function whole(source, to) {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const cookies = new Map<string, string>()
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { cookie: [...cookies].map((each) => each.join('=')).join('; ') }
      const answer = await fetch(new URL(path, base), { ...init, headers, redirect: 'manual', signal })
      if (answer.status >= 400) throw new Error(`ConvertX answered ${path} with ${answer.status}`)
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        cookies.set(name!, value!)
      }
      return answer
    }
    await (await ask('/')).arrayBuffer()
    const name = basename(source)
    const upload = new FormData()
    upload.append('file', new Blob([await readFile(source)]), name)
    await (await ask('/upload', { method: 'POST', body: upload })).arrayBuffer()
    const order = new FormData()
    order.append('convert_to', `${to},${converter}`)
    order.append('file_names', JSON.stringify([name]))
    const job = (await ask('/convert', { method: 'POST', body: order })).headers.get('location')?.split('/').at(-1)
    if (!/^\d+$/.test(job ?? '')) throw new Error('ConvertX did not start the conversion')
    for (;;) {
      const shown = await (await ask(`/progress/${job}`, { method: 'POST' })).text()
      const [, link] = /href="([^"]*\/download\/[^"]*)"/.exec(shown) ?? []
      if (link) {
        const { byteLength } = await (await ask(link)).arrayBuffer()
        if (byteLength < 100) throw new Error('ConvertX made an empty result')
        return
      }
      await delay(INTERVAL)
    }
  }
}
