import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { ServiceError } from '../errors.ts'

/** Cost of Argon2id by OWASP's Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_LENGTH = 32

/** How many hashes run at the same time, with 19 MiB and one core each, and how many may wait. */
const BOUNDS = { running: 2, waiting: 100 }

const derive = promisify(argon2)

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes passwords with Argon2id (RFC 9106), a limited number at the same time. */
export function createPasswords() {
  const limit = pLimit(BOUNDS.running)
  const nobodys = encode(COST, randomBytes(16), randomBytes(TAG_LENGTH))

  function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= BOUNDS.waiting) {
      throw new ServiceError('QUEUE_FULL_GLOBAL', 'Too many people are signing in; try again soon', { retryAfter: 5 })
    }
    return limit(work)
  }

  return {
    /** Resolves to a PHC string. @throws ServiceError QUEUE_FULL_GLOBAL. */
    hash: (password: string) =>
      bounded(async () => {
        const salt = randomBytes(16)
        return encode(COST, salt, await tagOf(password, salt, COST))
      }),
    /**
     * Whether a password matches the hash. Takes the same time without a hash.
     * @throws ServiceError QUEUE_FULL_GLOBAL.
     */
    verify: (password: string, hash: string | null | undefined) =>
      bounded(async () => {
        const { cost, salt, tag } = decode(hash ?? nobodys)
        return timingSafeEqual(await tagOf(password, salt, cost), tag) && hash != null
      }),
  }
}

/** Normalized first, because keyboards compose the same characters in different ways (NIST SP 800-63B §5.1.1.2). */
const tagOf = (password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> =>
  derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, tagLength: TAG_LENGTH, ...cost })

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const encode = ({ memory, passes, parallelism }: typeof COST, salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

function decode(hash: string): { cost: typeof COST; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash) ?? []
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
