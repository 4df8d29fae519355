import type { ConversionFailure } from '../errors.ts'
import { isRefusal } from '../kit.ts'
import type { Sandbox } from '../sandbox/job-sandbox.ts'
import { asFailure } from './failure.ts'

/** Tries the next method only after a refusal of the file, not after a limit, an abort, a password or a bug. */
export async function firstThatSucceeds<Method, Result>(
  methods: readonly Method[],
  sandbox: Sandbox,
  signal: AbortSignal,
  attempt: (method: Method) => Promise<Result>,
): Promise<Result> {
  let refusal: ConversionFailure | undefined
  for (const method of methods) {
    if (refusal) await sandbox.clear()
    try {
      return await attempt(method)
    } catch (error) {
      signal.throwIfAborted()
      const failure = asFailure(error, { hook: 'convert' })
      if (!isRefusal(failure)) throw failure
      refusal ??= failure
    }
  }
  throw refusal ?? new Error('a pair without a usable way')
}
