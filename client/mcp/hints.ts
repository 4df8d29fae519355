import type { ToolName } from './tools.ts'

/** What a failed call knows of what was asked. */
export interface Attempt {
  tool: ToolName
  /** What the source is called by, if it is there already. */
  fileId?: string
  /** Whether files are named by their path. */
  local: boolean
  /** Seconds. */
  retryAfter?: number | undefined
}

const again = ({ retryAfter = 30, tool }: Attempt) => `call ${tool} again in ${retryAfter} seconds`

const source = ({ local }: Attempt) =>
  local
    ? 'call convert with the path or url of another file'
    : 'call upload for the file, then convert with the new fileId'

const withFile = ({ fileId, local }: Attempt) => (fileId && !local ? ` with fileId "${fileId}"` : '')

const options = (attempt: Attempt) => `call formats with from and to for the options, then convert${withFile(attempt)}`

const other = () => 'tell the user; call convert for a smaller or simpler file'

/** The next call after each refusal, by the code of the API. */
const NEXT: Readonly<Record<string, (attempt: Attempt) => string>> = {
  BAD_REQUEST: ({ tool }) => `call ${tool} with corrected arguments`,
  UNSUPPORTED_FORMAT: (attempt) =>
    `call formats with from to see what the file can become, then convert${withFile(attempt)}`,
  UNKNOWN_OPTION: options,
  OPTION_NOT_APPLICABLE: options,
  INVALID_OPTIONS: options,
  URL_NOT_ALLOWED: source,
  IMPORT_FAILED: ({ local }) =>
    `check the url and call convert again, or ${local ? 'give a path' : 'call upload for the file'}`,
  NOT_FOUND: (attempt) =>
    attempt.tool === 'convert'
      ? source(attempt)
      : 'call convert to make a new conversion, with the id of which call this again',
  UNAUTHORIZED: () => 'tell the user that the credential of this connection is not valid, then call the tool again',
  FORBIDDEN: () => 'tell the user what was refused; call formats for what is open',
  FILE_TOO_LARGE: other,
  ENCRYPTED_INPUT: (attempt) => `ask the user for a copy without a password, then ${source(attempt)}`,
  CONVERSION_ERROR: (attempt) =>
    `ask the user for another copy of the file, or call formats with from and then convert to another format${withFile(attempt)}`,
  RESOURCE_LIMIT: other,
  TIMEOUT: other,
  CANCELLED: () => 'call convert again if the result is still wanted',
  QUOTA_EXCEEDED: () => 'tell the user; call convert again tomorrow (UTC) or with another account',
  NO_SUCH_FILE: source,
  NETWORK: () => 'tell the user that the service cannot be reached, then call the tool again',
  PATH_NOT_ALLOWED: () => 'call convert with a path in an allowed folder, or ask the user to allow the folder',
  FILE_EXISTS: ({ tool }) => `call ${tool} with another saveAs`,
  NOT_COMPLETED: () => 'call status until it is completed, then result',
}

/** Says which call comes next. Codes that are not listed pass by themselves. */
export const nextCall = (code: string, attempt: Attempt): string => (NEXT[code] ?? again)(attempt)
