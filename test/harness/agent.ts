import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What a tool answered, as an agent reads it. */
export interface Answer {
  /** The JSON of its text; empty for an error. */
  facts: any
  /** The text of an error; empty without one. */
  error: string
  /** All that it said. */
  text: string
  link: { uri: string; name: string; size: number; mimeType: string } | undefined
}

/** An agent that is connected, by the client of the public SDK. */
export interface Agent extends AsyncDisposable {
  client: Client
  use(tool: string, args?: Record<string, unknown>): Promise<Answer>
}

/** Connects over a transport, or to a service at this base URL. @param headers Credentials. */
export async function agentOf(to: Transport | string, headers: Record<string, string> = {}): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport =
    typeof to === 'string' ? new StreamableHTTPClientTransport(new URL(`${to}/mcp`), { requestInit: { headers } }) : to
  await client.connect(transport as Transport)
  return {
    client,
    async use(name, args = {}) {
      const { content, isError } = (await client.callTool({ name, arguments: args })) as any
      const { text } = content.find(({ type }: any) => type === 'text')
      return {
        facts: isError ? {} : JSON.parse(text),
        error: isError ? text : '',
        text,
        link: content.find(({ type }: any) => type === 'resource_link'),
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
