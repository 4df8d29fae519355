import { AthanorError, ConversionError } from '../client/error.ts'
import { CommandError } from '../kernel/admin/command.ts'
import { StartError } from '../kernel/errors.ts'

/** Exit codes. After a signal: 128 and its number, so 130 after Ctrl+C. */
export const EXIT = {
  done: 0,
  /** Some files were not converted. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  unreachable: 3,
  /** The plan, the quota or the credential does not allow it. */
  refused: 4,
} as const

/** Refusals of what was typed, for every file. */
const TYPED: readonly string[] = ['INVALID_OPTIONS', 'UNKNOWN_OPTION', 'OPTION_NOT_APPLICABLE']
const REFUSED: readonly number[] = [401, 403, 413, 421, 426, 429]
/** Of these, 502 without a code of the service comes from a proxy. */
const UNREACHABLE: readonly number[] = [0, 503, 504]

/** Returns the exit code for an error. */
export function exitOf(error: unknown): number {
  if (error instanceof CommandError) return EXIT.usage
  if (error instanceof StartError) return EXIT.unreachable
  if (!(error instanceof AthanorError) || error instanceof ConversionError) return EXIT.failed
  if (TYPED.includes(error.code)) return EXIT.usage
  if (REFUSED.includes(error.status)) return EXIT.refused
  return UNREACHABLE.includes(error.status) || error.code === 'HTTP_502' ? EXIT.unreachable : EXIT.failed
}

/** Whether the next file would meet the same error. */
export const stopsAll = (error: unknown): boolean =>
  exitOf(error) > EXIT.failed && (error as { code?: string }).code !== 'FILE_TOO_LARGE'

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPIPE: 'the reader of the pipe has gone',
  EPERM: 'not permitted',
  EISDIR: 'is a folder',
  ENOTDIR: 'lies below a file',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
}

/** Returns what a person reads about an error. */
export function messageOf(error: unknown): string {
  const { message, code = '', path, requestId } = error as NodeJS.ErrnoException & { requestId?: string }
  if (Object.hasOwn(SYSTEM, code)) return `${path === undefined ? '' : `${path}: `}${SYSTEM[code]}`
  const isInternal = code === 'INTERNAL_SERVER_ERROR' && requestId !== undefined
  return isInternal ? `${message} (request ${requestId})` : message
}
