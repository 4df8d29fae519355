import type { Answer, DescribedAnswer, Operation } from '../operation.ts'
import { type HeaderName, refer } from './headers.ts'
import type { SamplePair } from './sample-pair.ts'

/** A successful answer in OpenAPI. */
interface Success {
  description: string
  headers?: object
  content?: Record<string, { schema: { $ref?: string } }>
}

/**
 * Describes the successes of all operations. Those that several operations have become components, named by their
 * schema.
 */
export function collectSuccesses(operations: readonly Operation[], pair: SamplePair | undefined) {
  const described = new Map(operations.map((each) => [each, successesOf(each, pair)]))
  const uses = new Map<string, number>()
  for (const success of [...described.values()].flatMap(Object.values<Success>)) {
    const text = JSON.stringify(success)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const components: Record<string, object> = {}
  const share = (status: string, success: Success) => {
    const name = status === '204' ? 'Done' : success.content?.['application/json']?.schema.$ref?.split('/').at(-1)
    if (!name || (uses.get(JSON.stringify(success)) ?? 0) < 2) return success
    components[name] = success
    return { $ref: `#/components/responses/${name}` }
  }
  return {
    components,
    /** The successes of one operation, by status. */
    of: (operation: Operation) =>
      Object.fromEntries(
        Object.entries(described.get(operation) ?? {}).map(([status, each]) => [status, share(status, each)]),
      ),
  }
}

function successesOf({ answer, otherAnswers = [] }: Operation, pair: SamplePair | undefined): Record<string, Success> {
  return Object.fromEntries(
    [answer, ...otherAnswers].map((each: DescribedAnswer & Partial<Answer<never>>) => {
      const { status, description, headers: shared = [], media, body, location } = each
      const content = body
        ? { 'application/json': jsonContent(body, pair) }
        : media && { [media]: { schema: schemaOf(media) } }
      const names: HeaderName[] = location ? ['Location', ...shared] : [...shared]
      const sent = refer(names)
      const headers = Object.keys(sent).length > 0 && { headers: sent }
      return [status, { description, ...headers, ...(content && { content }) }]
    }),
  )
}

function jsonContent({ name, schema, example }: Answer<never>['body'] & object, pair: SamplePair | undefined) {
  return {
    schema: name ? { $ref: `#/components/schemas/${name}` } : schema,
    ...(pair && example && { example: example(pair) }),
  }
}

/** The schema of a body that is not JSON. */
const schemaOf = (media: string): object => ({
  type: 'string',
  ...(!media.startsWith('text/') && { format: 'binary' }),
})
