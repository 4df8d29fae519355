import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer } from '../../../client/mcp/server.ts'
import type { Service } from '../../../client/mcp/service.ts'
import type { Conversion as Shown } from '../../../client/records.ts'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { conversionRecord } from '../../jobs/records.ts'
import { startOrOptimise } from '../../jobs/start.ts'
import type { Owner } from '../../people/owner.ts'
import { errorRecord, forClients } from '../answer/failure.ts'
import { untilGone } from '../connection/client-gone.ts'
import type { Context } from '../context.ts'
import type { Edge } from '../endpoint.ts'
import { UNKEYED } from '../request/idempotency-key.ts'
import { receiveImport } from '../request/import.ts'
import { linkConversion } from '../resources/conversion-record.ts'
import { fileRecord } from '../resources/files.ts'
import { serverInfo } from './server-card.ts'
import { makeHandle } from './upload-handle.ts'

/**
 * Answers one message of the Model Context Protocol (streamable HTTP). There are no sessions: any node can answer any
 * message, and nothing is kept between them. Returns the answer; undefined for a notification, which has none.
 *
 * @throws ServiceError BAD_REQUEST for what is no message of the protocol.
 */
export async function answerMessage(
  kernel: Kernel,
  edge: Edge,
  ctx: Context,
  owner: Owner,
  message: unknown,
): Promise<object | undefined> {
  // A list of calls would pass as one request.
  if (Array.isArray(message)) throw new ServiceError('BAD_REQUEST', 'The body must be one JSON-RPC message, not a list')
  const refused = (thrown: unknown) => {
    const error = forClients(thrown, kernel.log)
    // For the log and the metrics.
    ctx.state.code = error.code
    return { ...errorRecord(error), retryAfter: error.retryAfter }
  }
  const service = createAgentService(kernel, edge, ctx, owner)
  const server = createMcpServer(service, serverInfo(kernel.config), refused)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const version = ctx.get('mcp-protocol-version')
    const headers = {
      // The answer is always JSON, so what the client accepts does not matter.
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version && { 'mcp-protocol-version': version }),
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    const answer = await transport.handleRequest(request, { parsedBody: message })
    const text = await answer.text()
    const read = text ? JSON.parse(text) : undefined
    if (answer.status >= 400) throw new ServiceError('BAD_REQUEST', read.error.message)
    return read
  } finally {
    await server.close()
  }
}

/** What the tools can do for the client of a request: what it can do by the REST API, and counted in the same way. */
function createAgentService(kernel: Kernel, { charge }: Edge, ctx: Context, owner: Owner): Service {
  const { catalogue, conversions, imports } = kernel
  const gone = untilGone(ctx)
  return {
    async formats() {
      return catalogue.formats
    },
    async tool(from, to) {
      return catalogue.tools.find((tool) => tool.fromFormat === from && tool.toFormat === to) as never
    },
    async importUrl(source) {
      await charge(ctx, 'uploads')
      const opened = await receiveImport(kernel, ctx, owner, UNKEYED, (allowance) => imports.openUrl(source, allowance))
      return { file: fileRecord(opened.file), suggestions: opened.suggestions }
    },
    async start(request) {
      await charge(ctx, 'conversions')
      return (await startOrOptimise(conversions.start, owner, request)).conversionId
    },
    async conversion(id, wait, signal) {
      // A client that goes away may come back and ask for the status: its conversion goes on.
      const found = wait
        ? await conversions.wait(owner, id, wait, AbortSignal.any([signal, gone]))
        : await conversions.get(owner, id)
      return conversionRecord(await linkConversion(kernel, ctx, found)) as Shown
    },
    remove: (id) => conversions.remove(owner, id),
    async handle(fileName) {
      await charge(ctx, 'requests')
      return makeHandle(kernel, ctx, owner, fileName)
    },
  }
}
