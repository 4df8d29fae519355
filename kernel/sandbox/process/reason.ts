import type { Engine, Failure, Job } from '../../contract.ts'
import { ConversionFailure } from '../../errors.ts'
import { callHook } from '../../hooks.ts'

/** How a process ended: its exit code, 128 + n after signal n, or undefined when it could not be started. */
export interface ProcessEnd {
  code: number | undefined
  error?: Error
  /** Whether the kernel killed it because its cgroup reached the memory limit. */
  exhausted?: boolean
}

// SIGKILL by the kernel (out of memory, hard CPU limit), SIGXCPU, SIGXFSZ: signal(7)
const LIMITS: Readonly<Record<number, string>> = {
  137: 'The conversion was stopped because it used too much memory or processor time',
  152: 'The conversion was stopped because it used too much processor time',
  153: 'The conversion was stopped because it wrote too large a file',
}

const EXHAUSTED = 'The conversion was stopped because it used more memory than allowed'

// An engine may not report that a job timed out, was cancelled or hit a bug of the service.
const ENGINE_CODES: ReadonlySet<string> = new Set(['CONVERSION_ERROR', 'RESOURCE_LIMIT', 'ENCRYPTED_INPUT'])

/** Returns the failure of an unsuccessful run, worded for the client. Its `cause` holds the last lines for the log. */
export function failureOf(engine: Engine, job: Job, ending: ProcessEnd, lines: readonly string[]): ConversionFailure {
  const said = lines.slice(-20).join('\n')
  const cause = ending.error ?? new Error(`${engine.name} exited with ${ending.code}${said && `:\n${said}`}`)
  if (ending.exhausted) return new ConversionFailure('RESOURCE_LIMIT', EXHAUSTED, { cause })
  // bwrap and prlimit print their own name if they cannot start the program.
  if (ending.code === undefined || (lines.length === 1 && /^(bwrap|prlimit): /.test(said)))
    return new ConversionFailure('INTERNAL_SERVER_ERROR', 'The conversion could not be started', { cause })
  const limit = LIMITS[ending.code]
  if (limit) return new ConversionFailure('RESOURCE_LIMIT', limit, { cause })
  return explained(engine, job, lines, cause)
}

/** Returns the failure that the engine's `reason` reads from its last lines. Throws HookFault if `reason` fails. */
export const explained = (engine: Engine, job: Job, lines: readonly string[], cause?: unknown): ConversionFailure =>
  callHook({ engine: engine.name, hook: 'reason' }, () =>
    refusal(
      callHook({ engine: engine.name, hook: 'reason' }, () => engine.reason?.(lines)),
      job,
      cause,
    ),
  )

/** Turns an engine's message about the file into a failure, with only codes and words that a client may see. */
export function refusal(said: string | Failure | undefined, job: Job, cause?: unknown): ConversionFailure {
  const { code, message } =
    typeof said === 'string' ? { code: 'CONVERSION_ERROR' as const, message: said } : (said ?? {})
  return new ConversionFailure(
    code && ENGINE_CODES.has(code) ? code : 'CONVERSION_ERROR',
    sanitise(message ?? '') || `The file could not be read as ${job.from.toUpperCase()}`,
    { cause },
  )
}

/**
 * Turns text into one line of at most 300 characters that a client may see. Removes absolute paths, terminal sequences,
 * control characters and characters that reorder text.
 */
export function sanitise(text: string): string {
  const line = printable(text)
    .replace(/(^|[\s"'`([{<=:,;|@])(?:[a-z]+:\/\/)?\/[^\s"'`)\]}>,;:|]+/gi, '$1the file')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299).trimEnd()}…` : line
}

/** Cuts text at 8 Ki characters; removes terminal sequences, control characters and characters that reorder text. */
export const printable = (text: string): string =>
  String(text)
    .slice(0, 8192)
    .replace(/\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07?)/g, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
