/** @param required Whether the header always comes. */
const integer = (description: string, required?: true) => ({
  description,
  ...(required && { required }),
  schema: { type: 'integer' },
})
const text = (description: string) => ({ description, schema: { type: 'string' } })

/** Headers of answers, which the OpenAPI document describes once. */
export const headers = {
  'X-Request-Id': {
    description: 'Identifies the request, also in the log: from the client, else a new one.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Limit': integer(
    'Requests allowed in the window with the fewest left. In production only, as the other two, and as `X-RateLimit-*`, whose reset is in epoch seconds.',
  ),
  'RateLimit-Remaining': integer('Requests left in the window.'),
  'RateLimit-Reset': integer('Seconds until the window ends.'),
  'Retry-After': integer('Seconds to wait before the next try.', true),
  Location: text('URL of what was created, or to open next.'),
  'Set-Cookie': text('Lets the callback recognise the browser.'),
  'Accept-Ranges': text('`bytes`.'),
  'Content-Disposition': text('`attachment`, with the name of the file (RFC 6266).'),
  'Content-Range': text('Position of these bytes in the file (RFC 9110).'),
  ETag: text('Validator for conditional requests.'),
  'Last-Modified': text('When the file was stored.'),
}

export type HeaderName = keyof typeof headers

const RATES = Object.keys(headers).filter((name) => /RateLimit/.test(name)) as HeaderName[]

/**
 * Describes headers. X-Request-Id comes with every answer, and rate headers do in production; the document describes
 * them at refusals, where they matter.
 */
export const refer = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/**
 * Describes the headers of a refusal, with X-Request-Id at the one that people report.
 *
 * @param waits Whether Retry-After comes with it. @param isCounted Whether the rate headers come with it.
 */
export function refusalHeaders(isFault: boolean, waits: boolean, isCounted: boolean) {
  const names: HeaderName[] = []
  if (isFault) names.push('X-Request-Id')
  if (waits) names.push('Retry-After')
  if (isCounted) names.push(...RATES)
  return refer(names)
}
