import type { Shape } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'
import { createDocument } from '../openapi/document.ts'
import { perCatalogue } from '../per-catalogue.ts'

const document: Shape<string> = { schema: { type: 'object', additionalProperties: true }, write: (json) => json }

export const apiDocument: Resource = {
  tag: 'Catalogue',
  endpoints: [
    endpoint({
      method: 'GET',
      path: '/api/openapi.json',
      id: 'getOpenApiDocument',
      authentication: 'optional',
      rate: 'requests',
      cacheable: true,
      summary: 'Show this document',
      description: 'Describes this installation, with its categories and their options.',
      answer: ok('OpenAPI 3.1.', document),
      handle: (kernel, { resources }) =>
        perCatalogue(kernel.catalogue, () => JSON.stringify(createDocument(kernel, resources))),
    }),
  ],
}
