import { jsonBodyOf, type Operation, querySchemaOf, type RawBody } from '../operation.ts'
import { publish } from './option-schemas.ts'
import { ownParameter, parameter, queryParameter } from './parameters.ts'
import type { SamplePair } from './sample-pair.ts'
import { CREDENTIALS } from './security.ts'
import type { Tag } from './tags.ts'

/** Describes an operation as OpenAPI does, except its answers. @param categories Those of the catalogue. */
export function describe(
  operation: Operation,
  tag: Tag,
  categories: readonly string[],
  pair: SamplePair | undefined,
): object {
  const { authentication, path, parameters: own = [] } = operation
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const query = querySchemaOf(operation, categories)?.properties ?? {}
  const parameters = [
    ...names.filter((name) => !own.some((each) => each.name === name)).map(parameter),
    ...own.map(ownParameter),
    ...Object.entries(query).map(([name, schema]) => queryParameter(name, schema)),
    ...(tellsGuestsApart(operation) ? [parameter('Guest')] : []),
    ...(operation.forTeams ? [parameter('Team')] : []),
  ]
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
  const { media, schema } = operation.body as RawBody
  return { [media]: { schema } }
}
