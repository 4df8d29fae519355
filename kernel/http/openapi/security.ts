import type { Authentication } from '../operation.ts'

/** How clients authenticate. */
export const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` of a sign-in. Operations that also accept `apiKey` accept an API key here, too.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
}

/** The credentials that an operation accepts. `{}` admits guests; `optional` is the document's default. */
export const CREDENTIALS: Readonly<Record<Authentication, readonly object[]>> = {
  session: [{ session: [] }],
  account: [{ session: [] }, { apiKey: [] }],
  optional: [{ session: [] }, { apiKey: [] }, {}],
  none: [],
}
