import type { Kernel } from '../../boot/kernel.ts'
import { llmsText } from '../agents/llms.ts'
import { serverCard } from '../agents/server-card.ts'
import { HANDLE_PATH, takeUpload } from '../agents/upload-handle.ts'
import { envelope } from '../answer/shape.ts'
import { baseUrl } from '../context.ts'
import { endpoint, ok, type Resource, SENT } from '../endpoint.ts'
import { readJson } from '../request/json-body.ts'
import { FILE_REFUSALS, fileStored } from './uploads.ts'

const anything = envelope({ type: 'object', additionalProperties: true }, (value: object) => value)

export const agents: Resource = {
  tag: 'Agents',
  endpoints: [
    endpoint('POST', '/mcp', {
      id: 'callTools',
      authentication: 'optional',
      rate: 'none',
      forTeams: true,
      summary: 'Use the tools for agents',
      description:
        'Model Context Protocol, streamable HTTP without sessions. A tool counts as the operation of the API that it stands for.',
      body: {
        media: 'application/json',
        schema: {
          type: 'object',
          required: ['jsonrpc'],
          properties: {
            jsonrpc: { const: '2.0' },
            id: { type: ['string', 'integer'] },
            method: { type: 'string' },
            params: { type: 'object' },
          },
        },
      },
      answer: ok('The answer, as JSON-RPC.', anything),
      otherAnswers: [{ status: 202, description: 'A notification was taken.' }],
      refusals: ['BAD_REQUEST', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'NOT_FOUND'],
      handle: async (kernel, { ctx, owner, recheck }, edge) => {
        const message = await readJson(ctx)
        await recheck()
        // Few services are used by agents, and the protocol costs a third of a second and 30 MB.
        const { answerMessage } = await import('../agents/mcp.ts')
        const answer = await answerMessage(kernel, edge, ctx, owner, message)
        if (answer) return answer
        ctx.body = null
        ctx.status = 202
        return SENT
      },
    }),
    endpoint('PUT', HANDLE_PATH, {
      id: 'putFile',
      authentication: 'optional',
      rate: 'uploads',
      summary: 'Send the bytes of a file',
      description: 'For a URL that the tool `upload` gave. It works for 15 minutes, until it has taken a file.',
      query: {
        type: 'object',
        required: ['token'],
        properties: { token: { type: 'string', minLength: 1, description: 'From the tool `upload`.' } },
      },
      body: { media: '*/*', schema: { type: 'string', format: 'binary' } },
      answer: fileStored,
      refusals: ['UNAUTHORIZED', ...FILE_REFUSALS],
      handle: (kernel, { ctx, query: { token = '' } }) => takeUpload(kernel, ctx, token),
    }),
    endpoint('GET', '/.well-known/mcp/server-card.json', {
      id: 'getServerCard',
      undocumented: true,
      authentication: 'none',
      rate: 'none',
      summary: 'Describe the tools for agents',
      description: 'An MCP server card: where the tools are, before a client connects.',
      answer: ok('The card.', anything),
      handle: ({ config }, { ctx }) => serverCard(config, baseUrl(config, ctx)),
    }),
    endpoint('GET', '/llms.txt', {
      id: 'getLlmsText',
      undocumented: true,
      authentication: 'none',
      rate: 'none',
      summary: 'Describe the service to language models',
      description: 'One page of Markdown.',
      answer: { status: 200, description: 'The page.', media: 'text/plain' },
      handle: ({ config, catalogue }: Kernel, { ctx }) => {
        ctx.type = 'text/plain; charset=utf-8'
        ctx.body = llmsText(config, catalogue, baseUrl(config, ctx))
        return SENT
      },
    }),
  ],
}
