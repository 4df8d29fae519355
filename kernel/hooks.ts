import { AsyncLocalStorage } from 'node:async_hooks'
import { inspect } from 'node:util'
import { isNativeError, isPromise } from 'node:util/types'
import { ConversionFailure } from './errors.ts'

/** The plugin or engine function that broke, for the log. */
export interface HookOrigin {
  /** The plugin's category. */
  plugin?: string
  engine?: string
  /** The function's name in the contract, such as `progress`. */
  hook: string
}

/** A plugin or an engine broke the contract. The job fails with INTERNAL_SERVER_ERROR; the log names the origin. */
export class HookFault extends ConversionFailure {
  override name = 'HookFault'
  readonly origin: HookOrigin

  constructor(origin: HookOrigin, thrown: unknown) {
    super('INTERNAL_SERVER_ERROR', 'The conversion failed for an unexpected reason', { cause: asError(thrown) })
    this.origin = origin
  }
}

/** The origin of the running plugin or engine code. `fail` ends its job. */
interface Guarded {
  origin: HookOrigin
  fail?: ((fault: HookFault) => void) | undefined
}

const guarded = new AsyncLocalStorage<Guarded>()

/**
 * Calls a synchronous function of a plugin or an engine. Throws HookFault if the function throws or returns a promise.
 * Errors that the function causes later are attributed to it by `strayFault`.
 */
export function callHook<T>(origin: HookOrigin, call: () => T): T {
  try {
    const answer = guarded.run({ origin, fail: guarded.getStore()?.fail }, call)
    if (!isPromise(answer)) return answer
    answer.catch(() => {})
  } catch (thrown) {
    // `instanceof` on a thrown object can itself throw, so test for a native error first.
    throw isNativeError(thrown) && thrown instanceof HookFault ? thrown : new HookFault(origin, thrown)
  }
  throw new HookFault(origin, new TypeError(`${origin.hook} returned a promise where a value is expected`))
}

/** Starts an asynchronous function of a plugin. `fail` receives errors that it causes outside its promise. */
export const startHook = <T>(
  origin: HookOrigin,
  fail: (fault: HookFault) => void,
  work: () => Promise<T>,
): Promise<T> => guarded.run({ origin, fail }, async () => work())

/**
 * Returns the fault behind an uncaught error, such as a throw in a timer, if a plugin or an engine caused it, and fails
 * its job. Returns undefined for an error of the service itself. Call it in the handler of the `uncaughtException`
 * event.
 */
export function strayFault(thrown: unknown): HookFault | undefined {
  const culprit = guarded.getStore()
  if (!culprit) return undefined
  const fault = new HookFault(culprit.origin, thrown)
  culprit.fail?.(fault)
  return fault
}

/** Turns any thrown value into a loggable error: a string, undefined, an object that throws when it is read. */
function asError(thrown: unknown): Error {
  try {
    if (isNativeError(thrown) && `${thrown.message}${thrown.stack}`) return thrown
    return new Error(`threw ${inspect(thrown, { depth: 1 }).slice(0, 1000)}`)
  } catch {
    return new Error('threw something that cannot be read')
  }
}
