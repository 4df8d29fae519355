import { envelope } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'
import { createDocument } from '../openapi/document.ts'

const document = envelope({ type: 'object', additionalProperties: true }, (document: object) => document)

export const apiDocument: Resource = {
  tag: 'Catalogue',
  endpoints: [
    endpoint('GET', '/api/openapi.json', {
      id: 'getOpenApiDocument',
      authentication: 'optional',
      rate: 'requests',
      cacheable: true,
      summary: 'Show this document',
      description: 'Describes this installation, with its categories and their options.',
      answer: ok('OpenAPI 3.1.', document),
      handle: (kernel, _input, { resources }) => createDocument(kernel, resources),
    }),
  ],
}
