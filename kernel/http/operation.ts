import type { Code } from '../errors.ts'
import type { HeaderName } from './openapi-headers.ts'
import type { ObjectSchema } from './validation.ts'

/** A route as the OpenAPI document describes it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  id: string
  tag: 'Files' | 'Imports' | 'Conversions' | 'Catalogue' | 'Accounts' | 'Teams' | 'Operating'
  /** Which credential it needs; without one it is open to guests too. */
  needs?: 'session' | 'account'
  /** Whether it may be for a team, by `x-team-id`. */
  forTeams?: true
  summary: string
  /** What a client should know beyond the summary: whole sentences. */
  description: string
  query?: ObjectSchema
  body?: ObjectSchema | 'form'
  /** Whether the body may be left out. */
  bodyOptional?: boolean
  /** Answers that are no errors; `schema` names a response schema, `media` another content. */
  success: readonly {
    status: number
    description: string
    schema?: string
    media?: string
    headers?: readonly HeaderName[]
  }[]
  refusals: readonly Code[]
}

/** Refusals that every path under /api knows. */
export const COMMON: readonly Code[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'MISDIRECTED_REQUEST',
  'HTTPS_REQUIRED',
  'MAINTENANCE_MODE',
]

/** Refusals of every JSON body. */
export const BODY: readonly Code[] = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** Refusals of a conversion that is to start. */
export const OF_A_START: readonly Code[] = [
  'FORBIDDEN',
  ...BODY,
  ...([
    'SAME_FORMAT_NOOP',
    'UNSUPPORTED_FORMAT',
    'UNKNOWN_OPTION',
    'OPTION_NOT_APPLICABLE',
    'INVALID_OPTIONS',
  ] as const),
  ...([
    'NOT_FOUND',
    'FILE_TOO_LARGE',
    'STORAGE_FULL',
    'QUOTA_EXCEEDED',
    'QUEUE_FULL_USER',
    'QUEUE_FULL_GLOBAL',
  ] as const),
]

/** The one answer with a body of this schema. */
export const ok = (description: string, schema: string) => [{ status: 200, description, schema }]
/** The one answer without a body. */
export const gone = [{ status: 204, description: 'Done; there is no body.' }]
