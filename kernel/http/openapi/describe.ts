import { jsonBodyOf, type Operation, querySchemaOf, type RawBody, type Tag } from '../operation.ts'
import { publish } from './option-schemas.ts'
import { ownParameter, parameter, queryParameter } from './parameters.ts'
import type { SamplePair } from './sample-pair.ts'
import { CREDENTIALS } from './security.ts'

/** The parameters of an operation. @param categories Those of the catalogue. */
export function parametersOf(operation: Operation, categories: readonly string[]): object[] {
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

/** Describes an operation as OpenAPI does, except its answers. @param parameters Those that its path does not have. */
export function describe(
  operation: Operation,
  tag: Tag,
  parameters: readonly object[],
  pair: SamplePair | undefined,
): object {
  const { authentication } = operation
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
