import type { Config } from '../../../config/config.ts'

/** Who the server says it is, when an agent connects and in the card. */
export const serverInfo = ({ version, page }: Pick<Config, 'version' | 'page'>) => ({
  name: 'athanor',
  title: (typeof page === 'object' && page.name) || 'Athanor',
  version,
})

const DESCRIPTION = 'Converts files between formats: pictures, documents, video, audio, archives, drawings and e-books.'

/**
 * Describes the MCP server before anybody connects to it (MCP server cards, SEP-2127; the last four fields are those of
 * SEP-1649, which some directories read).
 * @param base URL of the service's root.
 */
export function serverCard(config: Pick<Config, 'version' | 'page'>, base: string) {
  const info = serverInfo(config)
  // A reverse domain name, and the name below it.
  const domain = new URL(base).hostname
    .replace(/[[\]:]/g, '')
    .split('.')
    .toReversed()
    .join('.')
  const credentials = ['Authorization', 'x-api-key'].map((name) => ({
    name,
    description: name === 'Authorization' ? 'Bearer and an API key or a session token.' : 'An API key.',
    isRequired: false,
    isSecret: true,
  }))
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${domain}/${info.name}`,
    title: info.title,
    description: DESCRIPTION,
    version: info.version,
    remotes: [{ type: 'streamable-http', url: `${base}/mcp`, headers: credentials }],
    serverInfo: info,
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    capabilities: { tools: {} },
    authentication: { required: false, schemes: ['bearer', 'apiKey'] },
  }
}
