import type { Schema } from './schema.ts'

/** Entries of a page when the client does not say. */
export const PAGE = 50

/** Query parameters of every list that has pages. The OpenAPI document describes them once. */
export const limit = {
  type: 'integer',
  minimum: 1,
  maximum: 200,
  default: PAGE,
  description: 'Entries in a page.',
} as const satisfies Schema

export const cursor = {
  type: 'string',
  minLength: 1,
  description: 'The `nextCursor` of the previous page.',
} as const satisfies Schema
