import { AsyncLocalStorage } from 'node:async_hooks'
import { inspect } from 'node:util'
import { isNativeError, isPromise } from 'node:util/types'
import { ConversionFailure } from './errors.ts'

/** Whose function broke, for the log. */
export interface HookOrigin {
  /** The plugin's category. */
  plugin?: string
  engine?: string
  /** The function's name in the contract, such as `progress`. */
  hook: string
}

/** A plugin or an engine broke the contract. Its job ends with INTERNAL_SERVER_ERROR; the log names the origin. */
export class HookFault extends ConversionFailure {
  override name = 'HookFault'
  readonly origin: HookOrigin

  constructor(origin: HookOrigin, thrown: unknown) {
    super('INTERNAL_SERVER_ERROR', 'The conversion failed for an unexpected reason', { cause: asError(thrown) })
    this.origin = origin
  }
}

/** What runs on behalf of a plugin or an engine, with the end of the job that it runs for. */
interface Guarded {
  origin: HookOrigin
  fail?: ((fault: HookFault) => void) | undefined
}

const guarded = new AsyncLocalStorage<Guarded>()

/**
 * Calls a synchronous function of a plugin or an engine. Throws HookFault for whatever it throws, and for a promise,
 * which would be taken for a value. Errors that it causes later are its own too, see `strayFault`.
 */
export function callHook<T>(origin: HookOrigin, call: () => T): T {
  try {
    const answer = guarded.run({ origin, fail: guarded.getStore()?.fail }, call)
    if (!isPromise(answer)) return answer
    answer.catch(() => {})
  } catch (thrown) {
    // An object that is no error may throw even when it is asked what it is.
    throw isNativeError(thrown) && thrown instanceof HookFault ? thrown : new HookFault(origin, thrown)
  }
  throw new HookFault(origin, new TypeError(`${origin.hook} returned a promise where a value is expected`))
}

/** Starts an asynchronous function of a plugin. `fail` hears of errors that it causes beside its promise. */
export const startHook = <T>(
  origin: HookOrigin,
  fail: (fault: HookFault) => void,
  work: () => Promise<T>,
): Promise<T> => guarded.run({ origin, fail }, async () => work())

/**
 * The fault behind an error that nothing caught, such as a throw in a timer, when a plugin or an engine caused it: its
 * job has heard of it then. Undefined for an error of the service's own. To be called in the handler of the event.
 */
export function strayFault(thrown: unknown): HookFault | undefined {
  const culprit = guarded.getStore()
  if (!culprit) return undefined
  const fault = new HookFault(culprit.origin, thrown)
  culprit.fail?.(fault)
  return fault
}

/** Something that can be logged, whatever was thrown: a string, undefined, an object that throws when it is read. */
function asError(thrown: unknown): Error {
  try {
    if (isNativeError(thrown) && `${thrown.message}${thrown.stack}`) return thrown
    return new Error(`threw ${inspect(thrown, { depth: 1 }).slice(0, 1000)}`)
  } catch {
    return new Error('threw something that cannot be read')
  }
}
