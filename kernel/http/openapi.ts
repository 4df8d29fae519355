import { readFileSync } from 'node:fs'
import type { Plugin } from '../contract.ts'
import type { Kernel } from '../kernel.ts'
import { batchResponses } from './batch-schemas.ts'
import { createSendCacheable } from './cacheable.ts'
import type { Handler } from './context.ts'
import { examples } from './examples.ts'
import { headers, successHeaders } from './openapi-headers.ts'
import { collectRefusals, refusalExamples } from './openapi-refusals.ts'
import { optionSchemas, publish } from './openapi-schemas.ts'
import { type Success, shareAlike } from './openapi-successes.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { refusalMessages } from './refusal-examples.ts'
import { cursor, limit, responseSchemas } from './schemas.ts'
import { teamResponses } from './team-schemas.ts'
import type { Schema } from './validation.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** GET /api/openapi.json */
export function serveDocument(kernel: Kernel): Handler {
  const json = JSON.stringify(createDocument(kernel))
  const send = createSendCacheable()
  return (ctx) => send(ctx, json)
}

const TAGS: Readonly<Record<Operation['tag'], string>> = {
  Files: 'Uploads and downloads.',
  Imports: 'Files from public URLs and from cloud providers.',
  Conversions: 'Conversions of single files and of batches.',
  Catalogue: 'What this installation can convert.',
  Accounts: 'Users, sign-in and API keys.',
  Teams: 'Accounts that work together.',
  Operating: 'For those who run the service; not under `/api`, and never rate-limited.',
}

/** The interface as an OpenAPI 3.1 document, made from the schemas that validate. */
function createDocument({ catalogue, config }: Pick<Kernel, 'catalogue' | 'config'>) {
  const described = operations(catalogue.categories)
  const shared = shareAlike(described.map(successes))
  const refusals = collectRefusals(described.map((operation) => operation.refusals))
  const plugins = [...new Set<Plugin>([...catalogue.pairs.values()].map((pair) => pair.plugin))]
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of described) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const responses = { ...shared.of(successes(operation)), ...refusals.of(operation.refusals) }
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: { ...describe(operation), responses } }
  }
  const schemas = { ...responseSchemas(catalogue.categories), ...batchResponses, ...teamResponses }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Athanor',
      version,
      description:
        'Converts files: upload one, start a conversion, poll it until it is completed or failed, download the result. ' +
        'A client may send its own `X-Request-Id`, 1 to 64 characters of `A-Z a-z 0-9 . _ -`. Every error has the body ' +
        'that the schema `ErrorResponse` describes. In production, every answer of a rate-limited operation has the rate ' +
        'headers that 429 describes.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    security: CREDENTIALS.none,
    servers: [{ url: config.publicUrl ?? '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...schemas, ...optionSchemas(plugins) },
      ...{
        parameters,
        headers,
        responses: { ...shared.components, ...refusals.components },
        examples: refusalExamples(refusalMessages(catalogue, plugins)),
        securitySchemes,
      },
    },
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

/** Which of them a route takes; an empty one admits guests, and is the default. */
const CREDENTIALS = {
  session: [{ session: [] }],
  account: [{ session: [] }, { apiKey: [] }],
  none: [{ session: [] }, { apiKey: [] }, {}],
}

const text = { type: 'string' }

/** Parameters that several operations take, by the name of their component. */
const parameters = {
  Guest: {
    ...{ name: 'x-guest-fingerprint', in: 'header', schema: text },
    description: 'Tells guests of one address apart.',
  },
  Team: { name: 'x-team-id', in: 'header', schema: text, description: 'The team that the request is for.' },
  Limit: { name: 'limit', in: 'query', ...split(limit) },
  Cursor: { name: 'cursor', in: 'query', ...split(cursor) },
  id: { ...part('id'), description: 'The identifier that an earlier answer gave.' },
  slug: { ...part('slug'), description: 'As `GET /api/tools` lists it, such as `png-to-webp`.' },
  provider: { ...part('provider'), description: 'The name of the provider, as the list of providers has it.' },
}

function part(name: string) {
  return { name, in: 'path', required: true, schema: text }
}

/** A parameter's schema, with what OpenAPI says beside it. */
function split({ description, ...schema }: Schema) {
  return { description, schema }
}

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })

function queryParameter([name, schema]: [string, Schema]) {
  if (schema === limit) return parameter('Limit')
  return schema === cursor ? parameter('Cursor') : { name, in: 'query', ...split(schema) }
}

function describe({ method, path, needs, forTeams, query, body, bodyOptional, ...operation }: Operation) {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const isApi = path.startsWith('/api/')
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...((needs || !isApi) && { security: needs ? CREDENTIALS[needs] : [] }),
    parameters: [
      ...names.map(parameter),
      ...Object.entries(query?.properties ?? {}).map(queryParameter),
      ...(isApi && !needs ? [parameter('Guest')] : []),
      ...(forTeams ? [parameter('Team')] : []),
    ],
    ...(body && { requestBody: { required: !bodyOptional, content: requestContent(body, method + path) } }),
  }
}

function requestContent(body: NonNullable<Operation['body']>, key: string) {
  if (body !== 'form') return { 'application/json': { schema: publish(body), example: examples[key] } }
  const file = { type: 'string', format: 'binary', description: 'The file, with its name.' }
  return { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file } } } }
}

/** Lists of what another answer shows have no example of their own. */
const exampleOf = (schema: string) => (examples[schema] === undefined ? {} : { example: examples[schema] })

/** The answers that are no errors, by status. */
function successes({ success }: Operation): Record<string, Success> {
  return Object.fromEntries(
    success.map(({ status, description, schema, media, headers: own = [] }) => {
      const content = schema
        ? { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, ...exampleOf(schema) } }
        : media && { [media]: { schema: MEDIA[media]! } }
      return [status, { description, headers: successHeaders(own), ...(content && { content }) }]
    }),
  )
}

/** What bodies without a schema of their own are. */
const MEDIA: Readonly<Record<string, object>> = {
  '*/*': { type: 'string', format: 'binary' },
  'text/plain': { type: 'string' },
  'application/json': { type: 'object', additionalProperties: true },
}
