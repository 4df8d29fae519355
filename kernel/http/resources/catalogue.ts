import type { Catalogue, FormatFacts } from '../../catalogue/catalogue.ts'
import type { Tool } from '../../catalogue/tools.ts'
import { ServiceError } from '../../errors.ts'
import { count, flag, list, nextCursor, record, reference, text, texts } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'
import { createDocument } from '../openapi/document.ts'
import { cursor, limit, PAGE } from '../request/paging.ts'

const toolResponse = envelope(
  record({ tool: reference('Tool') }),
  (tool: Tool) => ({ tool }),
  // One option is enough to show what `options` holds.
  ({ tool }) => ({
    ...tool,
    options: { ...tool.options, properties: firstOf(tool.options), allOf: undefined, 'x-presets': undefined },
  }),
)

const firstOf = ({ properties = {} }: { properties?: object }) =>
  Object.fromEntries(Object.entries(properties).slice(0, 1))

interface ToolPage {
  tools: readonly Tool[]
  total: number
  nextCursor: string | null
}

const toolList = envelope(
  record({ tools: list('Tool'), total: count('Matching tools.'), nextCursor }),
  (page: ToolPage) => page,
)

/** A page of the tools that fit, in a fixed order. The cursor is the slug of the page's last tool. */
function pageOf(
  catalogue: Catalogue,
  {
    category,
    from,
    to,
    limit = PAGE,
    cursor,
  }: { category?: unknown; from?: string; to?: string; limit?: number; cursor?: string },
): ToolPage {
  // An unknown format has no tools; it must not become "any".
  const [source, target] = [from, to].map((name) => name && (catalogue.canonical(name) ?? 'unknown'))
  const fitting = catalogue.tools.filter(
    (tool) =>
      (!category || tool.category === category) &&
      (!source || tool.fromFormat === source) &&
      (!target || tool.toFormat === target),
  )
  const start = cursor === undefined ? 0 : positionAfter(fitting, cursor)
  const tools = fitting.slice(start, start + limit)
  const more = start + limit < fitting.length
  const last = tools.at(-1)
  const nextCursor = more && last ? Buffer.from(last.slug).toString('base64url') : null
  return { tools, total: fitting.length, nextCursor }
}

function positionAfter(tools: readonly Tool[], cursor: string): number {
  const slug = Buffer.from(cursor, 'base64url').toString()
  const index = tools.findIndex((tool) => tool.slug === slug)
  if (index < 0) throw new ServiceError('BAD_REQUEST', 'cursor must be the nextCursor of the previous page')
  return index + 1
}

const formatList = envelope(
  record({ formats: list('Format') }),
  (formats: readonly FormatFacts[]) => ({ formats }),
  ({ from, to }) => [{ ...from, targets: [to.extension] }],
)

const document = envelope({ type: 'object', additionalProperties: true }, (document: object) => document)

export const catalogue: Resource = {
  tag: 'Catalogue',
  schemas: {
    Tool: record({
      slug: text('Such as `png-to-webp` or `optimize-pdf`.'),
      name: text('Title.'),
      description: text('One sentence.'),
      category: reference('Category'),
      fromFormat: text('Source format.'),
      toFormat: text('Target format.'),
      jobIntent: text('Send it in requests.', { enum: ['convert', 'transform'] }),
      options: {
        type: 'object',
        additionalProperties: true,
        description: 'JSON Schema (2020-12) of the options.',
      },
      engine: text('The program that converts; both if there are two in a row.'),
      enabled: flag('False if an administrator closed it.'),
    }),
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
    endpoint('GET', '/api/tools', {
      id: 'listTools',
      authentication: 'optional',
      cacheable: true,
      rate: 'requests',
      rateOfFurtherPages: 'pages',
      summary: 'List the tools',
      description: 'Further pages have a rate limit of their own.',
      query: (categories) => ({
        type: 'object',
        properties: {
          category: { type: 'string', enum: [...categories], description: 'Category of the target.' },
          from: { type: 'string', minLength: 1, description: 'Source format: an extension or an alias.' },
          to: { type: 'string', minLength: 1, description: 'Target format: an extension or an alias.' },
          limit,
          cursor,
        },
      }),
      answer: ok('A page.', toolList),
      handle: ({ catalogue }, { query }) => pageOf(catalogue, query),
    }),
    endpoint('GET', '/api/tools/:slug', {
      id: 'getTool',
      authentication: 'optional',
      cacheable: true,
      rate: 'requests',
      summary: 'Show a tool',
      description: 'The formats in the slug can be aliases: `jpeg-to-webp` finds `jpg-to-webp`.',
      answer: ok('The tool.', toolResponse),
      refusals: ['NOT_FOUND'],
      handle: ({ catalogue }, { params }) => {
        const tool = catalogue.tool(params.slug)
        if (!tool) throw new ServiceError('NOT_FOUND', 'There is no such tool; GET /api/tools lists them')
        return tool
      },
    }),
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
