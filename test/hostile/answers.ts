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
