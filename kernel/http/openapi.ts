import { readFileSync } from 'node:fs'
import { type Code, STATUS } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { batchResponses } from './batch-schemas.ts'
import { createSendCacheable } from './cacheable.ts'
import type { Handler } from './context.ts'
import { errorMessages, examples } from './examples.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { familyOf } from './rate-families.ts'
import { responseSchemas } from './schemas.ts'
import { teamResponses } from './team-schemas.ts'
import type { ObjectSchema } from './validation.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** GET /api/openapi.json */
export function serveDocument(kernel: Kernel): Handler {
  const json = JSON.stringify(createDocument(kernel))
  const send = createSendCacheable()
  return (ctx) => send(ctx, json)
}

/** The interface as an OpenAPI 3.1 document, made from the schemas that validate. */
function createDocument({ catalogue, config }: Pick<Kernel, 'catalogue' | 'config'>) {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations(catalogue.categories)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Athanor',
      version,
      description:
        'Converts files: upload one, start a conversion, poll it until it is completed or failed, download the result. ' +
        'Every response has an `X-Request-Id`; every error has the body that the schema `Error` describes.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: config.publicUrl ?? '/' }],
    tags: ['Files', 'Imports', 'Conversions', 'Catalogue', 'Accounts', 'Teams', 'Operating'].map((name) => ({ name })),
    paths,
    components: { schemas: { ...responseSchemas, ...batchResponses, ...teamResponses }, securitySchemes },
  }
}

/** How clients say who they are. */
const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` of a sign-in. An API key is accepted in its place, except where only a session will do.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
}

/** Which of them a route takes; an empty one: it is open to guests. */
const CREDENTIALS = {
  session: [{ session: [] }],
  account: [{ session: [] }, { apiKey: [] }],
  none: [{ session: [] }, { apiKey: [] }, {}],
}

/** On answers to what is counted in a family of rate limits, in production. */
const rateHeaders = Object.fromEntries(
  [
    ['RateLimit-Limit', 'Requests in the window with fewer left.'],
    ['RateLimit-Remaining', 'Requests left in it.'],
    ['RateLimit-Reset', 'Seconds until it ends.'],
    ['X-RateLimit-Limit', 'As RateLimit-Limit.'],
    ['X-RateLimit-Remaining', 'As RateLimit-Remaining.'],
    ['X-RateLimit-Reset', 'When it ends, in epoch seconds.'],
  ].map(([name, description]) => [name!, { description, schema: { type: 'integer' } }]),
)

function describe(operation: Operation) {
  const { method, path, id, tag, needs, forTeams, summary, query, body, bodyOptional, success, refusals } = operation
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const team = { name: 'x-team-id', in: 'header', schema: { type: 'string' } }
  const guest = { name: 'x-guest-fingerprint', in: 'header', schema: { type: 'string' } }
  const isCounted = path.startsWith('/api/') && familyOf(method, path) !== undefined
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(path.startsWith('/api/') && { security: CREDENTIALS[needs ?? 'none'] }),
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(query ? queryParameters(query) : []),
      ...(path.startsWith('/api/') ? [{ ...guest, description: 'Tells guests of one address apart.' }] : []),
      ...(forTeams ? [{ ...team, description: 'The team that it is for.' }] : []),
    ],
    ...(body && { requestBody: { required: !bodyOptional, content: requestContent(body, method + path) } }),
    responses: {
      ...Object.fromEntries(success.map((answer) => [answer.status, successResponse(answer, isCounted)])),
      ...refusalResponses(refusals),
      default: refusalResponse('Any other error', ['INTERNAL_SERVER_ERROR']),
    },
  }
}

function queryParameters({ properties }: ObjectSchema) {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }))
}

function requestContent(body: NonNullable<Operation['body']>, key: string) {
  if (body !== 'form') return { 'application/json': { schema: body, example: examples[key] } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' }
  return { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file } } } }
}

function successResponse({ description, schema, media, headers }: Operation['success'][number], isCounted: boolean) {
  const content = schema
    ? { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: examples[schema] } }
    : media && { [media]: { schema: {} } }
  const described = {
    ...Object.fromEntries((headers ?? []).map((name) => [name, { schema: { type: 'string' } }])),
    ...(isCounted && rateHeaders),
  }
  return { description, headers: described, ...(content && { content }) }
}

/** One response for each status, with an example for each code that it may carry. */
function refusalResponses(codes: readonly Code[]) {
  const byStatus = Map.groupBy(codes, (code) => STATUS[code])
  return Object.fromEntries([...byStatus].map(([status, of]) => [status, refusalResponse(of.join(', '), of)]))
}

function refusalResponse(description: string, codes: readonly Code[]) {
  const samples = codes.map((code) => [code, { value: { error: { message: errorMessages[code], code } } }])
  const isBusy = codes.some((code) => STATUS[code] === 429)
  return {
    description,
    ...(isBusy && { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: Object.fromEntries(samples) },
    },
  }
}
