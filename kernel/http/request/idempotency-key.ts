import { createHash } from 'node:crypto'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import type { KeyedRequest, NoteMade } from '../../people/idempotency.ts'
import type { Owner } from '../../people/owner.ts'
import { type Context, sendJson } from '../context.ts'

/** The longest key, in characters. */
const MAX_LENGTH = 255

/** A request that may have come before. Without a key, it never has. */
export interface Once {
  /**
   * Whether the answer of an earlier request is to be sent again; then the handler returns `REPEATED`.
   * @param parts What the client sent, and nothing that differs when it is sent again.
   * @throws ServiceError IDEMPOTENCY_KEY_REUSED if it differs from the earlier request.
   */
  isRepeated(parts: () => unknown): Promise<boolean>
  /** What an earlier request made before it was interrupted, once `isRepeated` was asked. */
  interrupted: string | undefined
  /** Notes what this request makes, in the transaction that makes it. */
  made: NoteMade
}

/** A request without a key. */
export const UNKEYED: Once = { isRepeated: async () => false, interrupted: undefined, made: async () => {} }

/** The result of a handler whose request has come before. */
export const REPEATED = Symbol('repeated')

/**
 * Handles a request once for its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07). If it has come
 * before, sends the same answer.
 *
 * @param handle Sends the answer, and returns what is to be sent next time; undefined: what it made says that.
 * @throws ServiceError BAD_REQUEST for a bad key, IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED; what `handle` throws.
 */
export async function handleOnce(
  { idempotency }: Pick<Kernel, 'idempotency'>,
  ctx: Context,
  owner: Owner,
  operation: string,
  handle: (once: Once) => Promise<typeof REPEATED | StoredAnswer | undefined>,
): Promise<void> {
  const key = keyOf(ctx)
  if (key === undefined) return void (await handle(UNKEYED))
  const keyed = await idempotency.begin(owner, operation, key)
  let earlier: ReturnType<KeyedRequest['compare']> = {}
  const once: Once = {
    async isRepeated(parts) {
      const sent = JSON.stringify([ctx.path, await parts()])
      earlier = keyed.compare(createHash('sha256').update(sent).digest('hex'))
      once.interrupted = earlier.record
      return earlier.answer !== undefined
    },
    interrupted: undefined,
    made: keyed.made,
  }
  try {
    const answer = await handle(once)
    // biome-ignore lint/style/noNonNullAssertion: `isRepeated` found it.
    if (answer === REPEATED) sendAgain(ctx, JSON.parse(earlier.answer!))
    else if (answer) await keyed.complete(JSON.stringify(answer))
  } finally {
    await keyed.end()
  }
}

/** An answer as it was sent first. */
export interface StoredAnswer {
  status: number
  location?: string
  body: object
}

function sendAgain(ctx: Context, { status, location, body }: StoredAnswer): void {
  if (location) ctx.set('Location', location)
  ctx.set('Idempotency-Replayed', 'true')
  sendJson(ctx, body, status)
}

/** The key of a request: bare, or as a string of RFC 8941. @throws ServiceError BAD_REQUEST. */
function keyOf({ req }: Context): string | undefined {
  const given = req.headers['idempotency-key'] as string | undefined
  if (given === undefined) return undefined
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(given) ?? []
  const key = quoted?.replace(/\\(.)/g, '$1') ?? given
  if (!/^[\x20-\x7e]+$/.test(key) || key.length > MAX_LENGTH || (quoted === undefined && given.includes('"'))) {
    throw new ServiceError('BAD_REQUEST', `Idempotency-Key must have 1 to ${MAX_LENGTH} ASCII characters`)
  }
  return key
}
