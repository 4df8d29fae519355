import type { Answer, DescribedAnswer, Operation } from '../operation.ts'
import { type HeaderName, refer } from './headers.ts'
import type { SamplePair } from './sample-pair.ts'

/** Describes the successes of an operation, by status. */
export function successesOf(
  { answer, otherAnswers = [] }: Operation,
  pair: SamplePair | undefined,
): Record<string, object> {
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
