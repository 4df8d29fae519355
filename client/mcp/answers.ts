import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** A refusal by the tools themselves, in the form of the service's. */
export class ToolError extends Error {
  override name = 'ToolError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Answers with facts as JSON, and a link to the result if there is one. */
export const answer = (facts: object, ...links: CallToolResult['content']): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(facts) }, ...links],
})
