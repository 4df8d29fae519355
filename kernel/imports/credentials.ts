import { ServiceError } from '../errors.ts'
import { fieldsOf } from '../fields.ts'
import type { CredentialProvider, Credentials } from './provider.ts'

/** Maximum characters of one value. */
const LONGEST = 4096

/** Reads the fields that a provider needs from a body; ignores other fields. @throws ServiceError BAD_REQUEST. */
export function checkCredentials(body: unknown, fields: CredentialProvider['fields']): Credentials {
  const given = fieldsOf(body)
  const found: Record<string, string> = {}
  for (const [name, { optional }] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined && optional) continue
    if (typeof value !== 'string' || !value || value.length > LONGEST) {
      throw new ServiceError('BAD_REQUEST', `${name} must be a string of 1 to ${LONGEST} characters`)
    }
    found[name] = value
  }
  return found
}
