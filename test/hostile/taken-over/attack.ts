import { once } from 'node:events'
import { connect } from 'node:net'
import type { Test } from 'tap'
import { installation } from '../../harness/installation.ts'
import type { Service } from '../../harness/program.ts'

/** The engine that runs the program: see the plugin in this folder. */
export type Target = 'once' | 'sockets' | 'warm' | 'twice' | 'fallback'

/** The outcome of an attack. */
export interface Attacked {
  id: string
  /** The final record of the conversion. */
  record: any
  /** The result of the program; undefined if the conversion failed. */
  text: string | undefined
}

/**
 * Starts a service in a separate process; its engine runs uploads as programs. `config` overrides its configuration.
 */
export async function startAttacked(t: Test, config: object = {}) {
  const { dataDir, folder, live } = await installation(t)
  const service = await live({ plugins: { [import.meta.dirname]: true }, warm: { spares: 1 }, ...config })
  return { dataDir, folder, service }
}

/** Uploads a Python program and makes an engine run it. Resolves to the result when the conversion has ended. */
export async function attack(service: Service, program: string, to: Target = 'once'): Promise<Attacked> {
  const { fileId } = await service.upload(`#!script\n${program}`, 'a.script')
  const id = await service.start(fileId, to)
  const record = await service.finish(id)
  if (record.status !== 'completed') return { id, record, text: undefined }
  const answer = await fetch(record.outputUrl)
  return { id, record, text: (await answer.text()).replace(/^#!\w+\n/, '') }
}

/**
 * Returns how many bytes more than its Content-Length an answer has, before that to the next request on its connection.
 */
export async function excess(service: Service, url: string): Promise<number> {
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('error', () => {})
  const { pathname, search } = new URL(url)
  const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`
  socket.write(request(pathname + search) + request('/healthz', 'X-Request-Id: the-next\r\nConnection: close\r\n'))
  await once(socket, 'close')
  const [head = ''] = text.split('\r\n\r\n')
  const length = head.length + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1])
  const next = text.lastIndexOf('HTTP/1.1 200 OK', text.indexOf('the-next'))
  return next - length
}
