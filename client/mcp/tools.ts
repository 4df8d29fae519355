import type { Options } from '../records.ts'

/** Arguments that fit the schema of their tool. */
export interface ToolArguments {
  path?: string
  fileId?: string
  url?: string
  toFormat?: string
  options?: Options
  fileName?: string
  saveAs?: string
  from?: string
  to?: string
  conversionId?: string
}

/** A tool as `tools/list` shows it. */
export interface AgentTool {
  name: ToolName
  description: string
  inputSchema: ToolSchema
  annotations?: { readOnlyHint: true }
}

export type ToolName = 'convert' | 'formats' | 'status' | 'result' | 'upload'

interface ToolSchema {
  type: 'object'
  properties: Record<string, { type: 'string' | 'object'; minLength?: number; maxLength?: number; description: string }>
  required?: string[]
  additionalProperties: false
}

/** Seconds that one call waits for a conversion. Clients give up after 60. */
export const WAIT = 25

/** What agents are told when they connect. */
export const INSTRUCTIONS =
  'Converts files: pictures, documents, video, audio, archives, drawings, e-books. ' +
  'Usually one call of convert is enough. File contents never go through these tools.'

const field = (description: string, maxLength = 255) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const

const closed = (properties: ToolSchema['properties'], required: string[] = []): ToolSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

const conversionId = field('From convert.')

const saveAs = field('Path of a new file for the result. Default: beside the source.', 4096)

/**
 * The tools for agents. They are the words from which a language model works, so each says when to use it and what to
 * do next.
 * @param local Whether the agent and the tools share a file system: then files are named by their path, and need no
 * upload.
 */
export function agentTools(local: boolean): AgentTool[] {
  const source = local ? '`path` or `url`' : '`fileId` or `url`'
  const convert = {
    ...(local
      ? { path: field('Path of the file on this computer.', 4096) }
      : { fileId: field('From upload; it can be converted again to other formats.') }),
    url: field('Public http(s) address of the file.', 8192),
    toFormat: field(
      'Target format: an extension, such as "pdf", "jpg" or "mp3". That of the source: makes it smaller.',
    ),
    options: {
      type: 'object',
      description: 'Settings, such as {"quality": 80}. formats with from and to lists them.',
    } as const,
    fileName: field('Name with extension, if the source has none.'),
    ...(local && { saveAs }),
  }
  const tools: AgentTool[] = [
    {
      name: 'convert',
      description:
        `Converts a file to another format, or makes it smaller in its own. Give exactly one of ${source}. ` +
        'Scans and photos of text: toFormat "txt", "md" or "docx" reads the text (OCR), "ocr.pdf" makes a searchable ' +
        'PDF. "pdfa.pdf" is PDF/A for archives. A video to an audio format gives its sound, to "gif" an animation. ' +
        'Several pages or frames to a picture format come as a ZIP. ' +
        `Waits up to ${WAIT} s and ${local ? 'saves the result' : 'answers with a download link'}, else gives a ` +
        'conversionId for status.',
      inputSchema: closed(convert, ['toFormat']),
    },
    {
      name: 'formats',
      description:
        'Looks up what can be converted. Without arguments: all formats. With from: what it can become, the most ' +
        'wanted first. With from and to: the options of that conversion. Call it when a format or an option is in doubt.',
      inputSchema: closed({ from: field('Source format, such as "heic".'), to: field('Target format.') }),
      annotations: { readOnlyHint: true },
    },
    {
      name: 'status',
      description: `Waits up to ${WAIT} s for the end of a conversion and tells its progress. Repeat while it is queued or processing.`,
      inputSchema: closed({ conversionId }, ['conversionId']),
      annotations: { readOnlyHint: true },
    },
    local
      ? {
          name: 'result',
          description: 'Saves the result of a completed conversion to a file, and gives a link to it.',
          inputSchema: closed({ conversionId, saveAs }, ['conversionId']),
        }
      : {
          name: 'result',
          description: 'Gives a new download link for a completed conversion. Links work for some minutes.',
          inputSchema: closed({ conversionId }, ['conversionId']),
          annotations: { readOnlyHint: true },
        },
  ]
  if (!local) tools.push(upload)
  return tools
}

const upload: AgentTool = {
  name: 'upload',
  description:
    'For a file without a public URL. Gives a fileId and a one-time uploadUrl. PUT the bytes there, for example ' +
    '`curl -T FILE "UPLOAD_URL"`, then call convert with the fileId.',
  inputSchema: closed({ fileName: field('Name of the file with its extension, such as "scan.heic".') }, ['fileName']),
}
