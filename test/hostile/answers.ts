import type { Service } from '../harness/program.ts'
import type { Reply } from '../harness/service.ts'

/** Says what is wrong with an answer to a hostile request; undefined if it follows the contract. */
export function fault(reply: Reply): string | undefined {
  if (reply.status >= 500 && reply.status !== 502) return `status ${reply.status}`
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(reply.headers.get('x-request-id') ?? '')) return 'no request id'
  if (reply.status < 400) return undefined
  const error = reply.json?.error
  if (Object.keys(reply.json ?? {}).join() !== 'error') return `body ${reply.body.toString().slice(0, 100)}`
  if (Object.keys(error).sort().join() !== 'code,message') return `error with ${Object.keys(error)}`
  if (typeof error.message !== 'string' || !/^[A-Z_]+$/.test(error.code)) return `error ${JSON.stringify(error)}`
  if (/\n|node_modules|\.ts:|\bat \w+ \(/.test(error.message)) return `message ${error.message}`
  return undefined
}

/** Lists new properties of Object.prototype: signs of prototype pollution. */
export const pollution = () => [
  ...Object.keys(Object.prototype),
  ...Object.keys(Array.prototype),
  ...['polluted', 'fileId', 'toFormat', 'isAdmin', 'plan'].filter((name) => name in {}),
]

/** How a conversion of a hostile file may end: refused, or with a harmless result. */
export const HONEST = ['completed', 'CONVERSION_ERROR', 'ENCRYPTED_INPUT', 'UNSUPPORTED_FORMAT']

/**
 * Uploads and converts a file. Resolves to the status `completed`, or to the code with which the upload, the start or
 * the conversion was refused.
 *
 * @param how More of the request to start.
 */
export async function outcomeOf(
  service: Service,
  content: string | Buffer,
  name: string,
  toFormat: string,
  how: object = {},
): Promise<string> {
  const uploaded = await service.upload(content, name).catch((error: Error) => error)
  if (uploaded instanceof Error) return /"code":"(\w+)"/.exec(uploaded.message)?.[1] ?? uploaded.message
  const jobIntent = uploaded.format === toFormat ? 'transform' : 'convert'
  const body = { fileId: uploaded.fileId, toFormat, jobIntent, ...how }
  const { status, json } = await service.call('POST', '/api/conversions', body)
  if (status !== 201) return json.error.code
  const record = await service.finish(json.conversionId)
  return record.error?.code ?? record.status
}
