import type { Database } from '../database/database.ts'
import { isDuplicate } from '../database/errors.ts'
import { newId } from '../database/ids.ts'
import {
  findUser,
  findUserByEmail,
  insertUser,
  listUsers,
  type User,
  updatePassword,
  updateUser,
} from '../database/tables/users.ts'
import { ServiceError } from '../errors.ts'

/** The fields of a new user. */
type NewUser = Pick<User, 'email' | 'name' | 'plan' | 'password_hash' | 'verified'>

export type Users = ReturnType<typeof createUsers>

/** Number of users per page. */
const PAGE = 500

/** The users of the service. */
export function createUsers(database: Database) {
  return {
    byId: (id: string) => findUser(database, id),

    /** Returns a user who was there a moment ago. @throws Error if the account was deleted meanwhile. */
    async existing(id: string) {
      const user = await findUser(database, id)
      if (!user) throw new Error(`there is no user ${id}`)
      return user
    },
    byEmail: (email: string) => findUserByEmail(database, canonicalEmail(email)),

    /** @throws ServiceError EMAIL_TAKEN. */
    async create(fields: NewUser) {
      const user: User = {
        ...fields,
        id: newId('user_'),
        email: canonicalEmail(fields.email),
        status: 'active',
        session_version: 1,
        created_at: Date.now(),
      }
      try {
        await insertUser(database, user)
      } catch (cause) {
        if (!isDuplicate(cause)) throw cause
        throw new ServiceError(
          'EMAIL_TAKEN',
          'email: there is already an account with this address; sign in, or reset the password',
        )
      }
      return user
    },

    /** Changes some fields; resolves to whether the user exists. */
    change: (id: string, fields: Partial<Omit<User, 'id'>>) => updateUser(database, id, fields),

    /** As `updatePassword`. */
    setPassword: (which: Parameters<typeof updatePassword>[1], hash: string | null) =>
      updatePassword(database, which, hash),

    /** Whether there is any account. */
    any: async () => (await listUsers(database, { last: '', limit: 1 })).length > 0,

    /** Lists all users by time of creation, read in pages. */
    async *list() {
      for (let last = ''; ; ) {
        const page = await listUsers(database, { last, limit: PAGE })
        yield* page
        const end = page.at(-1)
        if (!end || page.length < PAGE) return
        last = end.id
      }
    },
  }
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const LOCAL_PART = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
const ADDRESS = new RegExp(`^${LOCAL_PART}@${LABEL}(?:\\.${LABEL})+$`, 'i')

/**
 * Whether every mail server accepts a text as an address (RFC 5321 §4.1.2): ASCII, no quotes, at most 254 characters.
 */
export const isEmail = (text: string) => text.length <= 254 && ADDRESS.test(text)

/** Returns the address in lower case. RFC 5321 §2.4 allows case-sensitive local parts, but no mail service has them. */
export const canonicalEmail = (email: string) => email.toLowerCase()
