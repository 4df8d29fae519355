import type { Kernel } from '../../boot/kernel.ts'
import type { Plugin } from '../../contract.ts'
import { STATUS } from '../../errors.ts'
import { orNull, record, reference, text } from '../answer/response-schema.ts'
import type { Endpoint, Resource } from '../endpoint.ts'
import {
  type Authentication,
  jsonBodyOf,
  type Operation,
  querySchemaOf,
  type RawBody,
  TAGS,
  type Tag,
} from '../operation.ts'
import { headers } from './headers.ts'
import { optionSchemas, publish } from './option-schemas.ts'
import { ownParameter, parameter, parameters, queryParameter } from './parameters.ts'
import { collectRefusals, refusalsOf } from './refusals.ts'
import type { SamplePair } from './sample-pair.ts'
import { choosePair } from './sample-pair.ts'
import { successesOf } from './successes.ts'

/** How clients authenticate. */
const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` of a sign-in. Operations that also accept `apiKey` accept an API key here, too.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
}

/** The credentials that an operation accepts. `{}` admits guests; `optional` is the document's default. */
const CREDENTIALS: Readonly<Record<Authentication, readonly object[]>> = {
  session: [{ session: [] }],
  account: [{ session: [] }, { apiKey: [] }],
  optional: [{ session: [] }, { apiKey: [] }, {}],
  none: [],
}

/** Makes the OpenAPI 3.1 document of the interface from what its resources declare. */
export function createDocument(
  { catalogue, config }: Pick<Kernel, 'catalogue' | 'config'>,
  resources: readonly Resource[],
) {
  const { categories } = catalogue
  const pair = choosePair(catalogue)
  const plugins = [...new Set<Plugin>([...catalogue.pairs.values()].map(({ plugin }) => plugin))]
  const endpoints = resources.flatMap((resource) => resource.endpoints).filter((each) => !each.undocumented)
  // biome-ignore lint/style/noNonNullAssertion: each endpoint is one of a resource.
  const tagOf = (endpoint: Endpoint) => resources.find(({ endpoints }) => endpoints.includes(endpoint))!.tag
  const refusals = collectRefusals()
  const paths: Record<string, Record<string, object>> = {}
  for (const [path, here] of Map.groupBy(endpoints, ({ path }) => path)) {
    const operations = here.map((endpoint) => {
      const responses = { ...successesOf(endpoint, pair), ...refusals.of(refusalsOf(endpoint)) }
      return [endpoint.method.toLowerCase(), { ...describe(endpoint, tagOf(endpoint), categories, pair), responses }]
    })
    paths[path.replace(/:(\w+)/g, '{$1}')] = Object.fromEntries(operations)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Athanor',
      version: config.version,
      description:
        'Converts files: upload a file, start a conversion, poll it until it is completed or failed, download the result. ' +
        'Every answer has an `X-Request-Id`: yours, if it is 1 to 64 of `A-Z a-z 0-9 . _ -`. In production, every ' +
        'answer of a rate-limited operation has the rate headers that 429 describes.',
    },
    security: CREDENTIALS.optional,
    servers: [{ url: config.publicUrl ?? '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...responseSchemas(resources, categories), ...optionSchemas(plugins) },
      parameters,
      headers,
      securitySchemes,
      responses: refusals.components,
    },
  }
}

/** The schemas of all answers, by the name of their component. @param categories Those of the catalogue. */
export function responseSchemas(resources: readonly Resource[], categories: readonly string[]): Record<string, object> {
  const bodyOf = ({ answer: { body } }: Endpoint) => (body?.name ? { [body.name]: body.schema } : {})
  return Object.assign(
    {
      Category: { type: 'string', enum: [...categories] },
      NextCursor: orNull(text('The `cursor` of the next page; null on the last.')),
      ErrorResponse: record({ error: reference('ErrorDetail') }),
      ErrorDetail: record({
        message: text('For people: what is wrong, and what would work.', { minLength: 1 }),
        code: text('For programs.', { enum: Object.keys(STATUS) }),
      }),
    },
    ...resources.flatMap(({ schemas, endpoints }) => [schemas, ...endpoints.map(bodyOf)]),
  )
}

/** The parameters of an operation. @param categories Those of the catalogue. */
function parametersOf(operation: Operation, categories: readonly string[]): object[] {
  const { path, parameters: own = [] } = operation
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const query = querySchemaOf(operation, categories)?.properties ?? {}
  return [
    ...names.filter((name) => !own.some((each) => each.name === name)).map(parameter),
    ...own.map(ownParameter),
    ...Object.entries(query).map(([name, schema]) => queryParameter(name, schema)),
    ...(tellsGuestsApart(operation) ? [parameter('Guest')] : []),
    ...(operation.forTeams ? [parameter('Team')] : []),
    ...(operation.idempotent ? [parameter('IdempotencyKey')] : []),
  ]
}

/** Describes an operation as OpenAPI does, except its answers. @param categories Those of the catalogue. */
function describe(operation: Operation, tag: Tag, categories: readonly string[], pair: SamplePair | undefined): object {
  const { authentication } = operation
  const parameters = parametersOf(operation, categories)
  return {
    operationId: operation.id,
    tags: [tag],
    summary: operation.summary,
    description: operation.description,
    ...(authentication !== 'optional' && { security: CREDENTIALS[authentication] }),
    ...(parameters.length && { parameters }),
    ...(operation.body && {
      requestBody: { required: !operation.bodyOptional, content: requestContent(operation, pair) },
    }),
  }
}

/** Whether the operation distinguishes guests. Sign-in operations know only the client's address. */
const tellsGuestsApart = ({ authentication, cacheable, rate }: Operation) =>
  authentication === 'optional' && !cacheable && rate !== 'authentication'

function requestContent(operation: Operation, pair: SamplePair | undefined) {
  const json = jsonBodyOf(operation)
  if (json) {
    const example = pair && operation.example?.(pair)
    return { 'application/json': { schema: publish(json), ...(example && { example }) } }
  }
  const { media, schema, orJson } = operation.body as RawBody
  return { [media]: { schema }, ...(orJson && { 'application/json': { schema: publish(orJson) } }) }
}
