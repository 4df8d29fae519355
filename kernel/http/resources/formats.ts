import type { FormatFacts } from '../../catalogue/catalogue.ts'
import { flag, list, record, reference, text, texts } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'

const formatList = envelope(
  record({ formats: list('Format') }),
  (formats: readonly FormatFacts[]) => ({ formats }),
  ({ from, to }) => [{ ...from, targets: [to.extension] }],
)

export const formats: Resource = {
  tag: 'Catalogue',
  schemas: {
    Format: record({
      extension: text('Canonical name.'),
      aliases: texts('Other names, which are accepted everywhere.'),
      mimeType: text('Media type.'),
      category: reference('Category'),
      readable: flag('Whether it can be a source.'),
      writable: flag('Whether it can be a target.'),
      targets: texts('Formats that it can be converted to.'),
    }),
  },
  endpoints: [
    endpoint('GET', '/api/formats', {
      id: 'listFormats',
      authentication: 'optional',
      cacheable: true,
      rate: 'requests',
      summary: 'List the formats',
      description: 'Shows every format with its aliases and its targets.',
      answer: ok('All of them.', formatList),
      handle: ({ catalogue }) => catalogue.formats,
    }),
  ],
}
