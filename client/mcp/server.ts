import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { ToolError } from './answers.ts'
import { RUN, type ToolCall } from './calls.ts'
import { nextCall } from './hints.ts'
import type { Service } from './service.ts'
import { agentTools, INSTRUCTIONS, type ToolArguments } from './tools.ts'

/** Who the server says it is. */
export interface ServerInfo {
  name: string
  title: string
  version: string
}

/** What an agent reads of a failed call. */
export interface Refusal {
  /** As in the API. */
  code: string
  message: string
  /** Seconds. */
  retryAfter?: number | undefined
}

const validator = new AjvJsonSchemaValidator()

const withChecks = (local: boolean) =>
  agentTools(local).map((tool) => ({ tool, check: validator.getValidator<ToolArguments>(tool.inputSchema) }))

/** The tools of an agent elsewhere, and of one on this computer, with the checks of their arguments. */
const REMOTE = withChecks(false)
const LOCAL = withChecks(true)

/**
 * Creates an MCP server whose tools convert files by a service.
 *
 * @param refused Turns an error that is not of the tools themselves into what the agent may read.
 */
export function createMcpServer(service: Service, info: ServerInfo, refused: (error: unknown) => Refusal): Server {
  const local = service.local !== undefined
  const tools = local ? LOCAL : REMOTE
  const server = new Server(info, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    // Only for answers of the client's user, which are never asked for. One for each server would cost a compiler.
    jsonSchemaValidator: validator,
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ tool }) => tool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const found = tools.find(({ tool }) => tool.name === params.name)
    if (!found)
      return failed(
        'UNKNOWN_TOOL',
        `There is no tool ${params.name}`,
        `call one of ${tools.map(({ tool }) => tool.name)}`,
      )
    const { tool, check } = found
    const call: ToolCall = { signal }
    try {
      const checked = check(params.arguments ?? {})
      if (!checked.valid)
        throw new ToolError('BAD_REQUEST', checked.errorMessage.replaceAll(/^data|, data/g, 'The arguments'))
      return await RUN[tool.name](service, checked.data, call)
    } catch (error) {
      const { code, message, retryAfter }: Refusal = error instanceof ToolError ? error : refused(error)
      const attempt = { tool: tool.name, local, ...(call.fileId && { fileId: call.fileId }), retryAfter }
      return failed(code, message, nextCall(code, attempt))
    }
  })
  return server
}

const failed = (code: string, message: string, next: string): CallToolResult => ({
  content: [{ type: 'text', text: `${code}: ${message}. Next: ${next}.` }],
  isError: true,
})
