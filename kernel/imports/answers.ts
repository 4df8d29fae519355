import type { Readable } from 'node:stream'
import { ServiceError } from '../errors.ts'
import type { Fields } from '../fields.ts'
import type { Incoming } from './client.ts'
import { brokenOff, importFailed } from './failures.ts'

/** Maximum bytes of a listing or a record. Files are streamed instead. */
const LARGEST = 8 * 1024 * 1024

/** Statuses that mean that the server rejects the credential. */
const NOT_ALLOWED = [401, 403]

/**
 * Requires one status; discards the body of any other answer.
 *
 * @param who Display name of the provider.
 * @param cursor The client's cursor, if any: a 400 then means that the cursor is invalid.
 * @throws ServiceError BAD_REQUEST, NOT_FOUND, IMPORT_FAILED.
 */
export function requireOk(incoming: Incoming, who: string, cursor?: string, expected = 200): Incoming {
  const { status, body } = incoming
  if (status === expected) return incoming
  body.destroy()
  if (status === 400 && cursor !== undefined) throw badCursor()
  throw refusalOf(status, who)
}

export const badCursor = () =>
  new ServiceError('BAD_REQUEST', 'cursor must be the nextCursor of the previous page of the same folder')

/** Converts an unexpected status to an error for the client. */
export function refusalOf(status: number, who: string): ServiceError {
  if (status === 404 || status === 410) return noSuchCloudFile(who)
  if (NOT_ALLOWED.includes(status)) return importFailed(`${who} denied access (${status})`, status)
  if (status === 429) return importFailed(`${who} limits the rate of requests; try again later`)
  return importFailed(`${who} answered ${status}`)
}

/** Returns true if an error means that a server rejected the credential. */
export const isCredentialRefused = (error: unknown) =>
  error instanceof ServiceError && NOT_ALLOWED.includes(error.cause as number)

export const noSuchCloudFile = (who: string) =>
  new ServiceError('NOT_FOUND', `There is no such file or folder at ${who}, or you have no access to it`)

/** Reads a JSON object. @throws ServiceError as `requireOk`; IMPORT_FAILED if the body is not a JSON object. */
export async function readAnswerJson(incoming: Incoming, who: string, cursor?: string): Promise<Fields> {
  const text = await readAnswerText(requireOk(incoming, who, cursor).body, who)
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value) return value
  } catch {}
  throw importFailed(`${who} did not answer with a JSON object`)
}

/** Reads a body to its end. @throws ServiceError IMPORT_FAILED, as `readPieces`. */
export async function readAnswerText(body: Readable, who: string): Promise<string> {
  let text = ''
  for await (const piece of readPieces(body, who)) text += piece
  return text
}

/** Yields a body as it arrives. @throws ServiceError IMPORT_FAILED if it is cut off, or larger than 8 MiB. */
export async function* readPieces(body: Readable, who: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let size = 0
  try {
    for await (const chunk of body) {
      if ((size += chunk.length) > LARGEST) throw importFailed(`The answer of ${who} is too large`)
      yield decoder.decode(chunk, { stream: true })
    }
  } catch (cause) {
    throw brokenOff(who, cause)
  }
}

/** Returns a provider's number of bytes; null if it is missing or invalid. */
export function bytesOrNull(value: unknown): number | null {
  const bytes = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(bytes) && (bytes as number) >= 0 ? (bytes as number) : null
}

/** Returns a provider's text; null if it is missing or empty. */
export const textOrNull = (value: unknown) => (typeof value === 'string' && value ? value : null)
