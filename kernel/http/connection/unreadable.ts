import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { type Code, ServiceError } from '../../errors.ts'
import { errorBody } from '../answer/failure.ts'

/** How long a refused client can read its answer. */
const LINGER_MS = 2000

const REASONS: Record<string, [Code, string]> = {
  HPE_HEADER_OVERFLOW: ['REQUEST_HEADER_FIELDS_TOO_LARGE', 'The request line and headers must have at most 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['PAYLOAD_TOO_LARGE', 'Chunk extensions must have at most 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request headers took too long to arrive'],
}

/**
 * Creates the listener for `clientError`: it answers what Node's parser refuses, and what is refused while it parses.
 */
export function refuseUnreadable(log: Logger) {
  return (cause: NodeJS.ErrnoException | ServiceError, socket: Socket): void => {
    // After a refusal, the parser reports each further packet of the connection.
    if (socket.writableEnded) return
    // Node keeps the current response here. Bytes of another answer would corrupt it.
    const current = (socket as { _httpMessage?: ServerResponse })._httpMessage
    if (cause.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
      socket.destroy()
      return
    }
    const [code, message] = REASONS[cause.code ?? ''] ?? ['BAD_REQUEST', 'The request is not well-formed HTTP/1.1']
    refuse(socket, cause instanceof ServiceError ? cause : new ServiceError(code, message), log)
  }
}

/** Refuses CONNECT, because the service is not a proxy. */
export function refuseTunnel(log: Logger) {
  return (_req: IncomingMessage, socket: Socket): void => {
    refuse(socket, new ServiceError('METHOD_NOT_ALLOWED', 'CONNECT is not supported'), log, [
      'Allow: GET, HEAD, POST, PUT, PATCH, DELETE',
    ])
  }
}

function refuse(socket: Socket, error: ServiceError, log: Logger, headers: readonly string[] = []): void {
  const id = randomUUID()
  const body = JSON.stringify(errorBody(error))
  const lines = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${id}`,
    `Date: ${new Date().toUTCString()}`,
    ...headers,
    'Connection: close',
  ]
  log.info({ requestId: id, status: error.status, code: error.code }, 'request refused unread')
  socket.on('error', () => {})
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  // Reads and drops what the client still sends, for a while: a reset would lose the answer. The parser gets none of
  // it.
  socket
    .removeAllListeners('data')
    .on('data', () => {})
    .resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
