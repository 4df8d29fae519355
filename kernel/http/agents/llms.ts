import type { Config } from '../../../config/config.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { serverInfo } from './server-card.ts'

/** Describes the service to language models in a page of Markdown (llmstxt.org). @param base URL of its root. */
export function llmsText(config: Config, { formats, categories }: Catalogue, base: string): string {
  const { title } = serverInfo(config)
  const readable = formats.filter((format) => format.readable).length
  const writable = formats.filter((format) => format.writable).length
  const { maxFileSize, conversionsPerDay } = config.plans.guest
  const size = maxFileSize === null ? 'of any size' : `of at most ${maxFileSize / 1e6} MB`
  const daily = conversionsPerDay === null ? 'any number of' : `${conversionsPerDay}`
  return `# ${title}

> Converts files from ${readable} formats to ${writable}: ${categories.join(', ')}. Reads text in scans (OCR), and makes files smaller.

Without an account, a client converts ${daily} files a day, ${size}. With an account, send \`x-api-key\` or
\`Authorization: Bearer\`. Errors are JSON, \`{ "error": { "code", "message" } }\`, and say what would work.

## Agents

Model Context Protocol, streamable HTTP: ${base}/mcp (card: ${base}/.well-known/mcp/server-card.json).
Tools: convert, formats, status, result, upload. File contents never go through them: files come by URL, or by PUT to a
URL from upload; results are links.

## One call

\`\`\`
curl -F file=@scan.heic -F toFormat=jpg ${base}/api/convert -o scan.jpg
\`\`\`

For a file with a public URL, send JSON: \`{ "url": "https://…", "toFormat": "pdf" }\`. With \`Accept: application/json\`,
the answer is the conversion with \`outputUrl\`. After 60 seconds it is 202 with \`Location\`: poll that.

## API

- [OpenAPI document](${base}/api/openapi.json): every operation, option and error
- [Formats](${base}/api/formats): each with what it can become
- [Tools](${base}/api/tools?from=heic&to=jpg): the options of a pair of formats
- [Uploads](${base}/api/uploads): POST a form with one part named file; the answer has a fileId and suggestions
- [Conversions](${base}/api/conversions): POST { "fileId", "toFormat", "options" }, then GET /api/conversions/:id?wait=30
`
}
