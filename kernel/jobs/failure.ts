import type { FailureCode } from '../contract.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { ConversionFailure, isFailureCode, isFull, noRoom, ServiceError } from '../errors.ts'
import { HookFault, type HookOrigin } from '../hooks.ts'
import { sanitise } from '../sandbox/process/reason.ts'

/** Turns a thrown value into a failure. A plugin's intended errors have a code; any other is a bug of `origin`. */
export function asFailure(thrown: unknown, origin: HookOrigin): ConversionFailure {
  try {
    if (thrown instanceof ConversionFailure) return thrown
    if (isFull(thrown)) return noRoom(thrown)
    if (thrown instanceof Error && 'code' in thrown && isFailureCode(thrown.code)) {
      const message = sanitise(thrown.message) || 'The conversion failed'
      return new ConversionFailure(thrown.code, message, { cause: thrown })
    }
  } catch {} // reading the thrown value can throw
  return new HookFault(origin, thrown)
}

/**
 * Describes a failure for the client. Unexpected errors are logged, not shown. `charged`: whether it counts towards the
 * quota.
 */
export function clientFailure(error: unknown): { code: FailureCode; message: string; charged?: boolean } {
  if (error instanceof ConversionFailure) {
    const { code, message, charged } = error
    return { code, message: message.slice(0, 500), charged }
  }
  if (isFull(error) || (error instanceof ServiceError && error.code === 'STORAGE_FULL')) {
    return noRoom()
  }
  if (error instanceof ServiceError && error.code === 'NOT_READY') {
    return { code: 'INTERNAL_SERVER_ERROR', message: error.message }
  }
  return { code: 'INTERNAL_SERVER_ERROR', message: 'The conversion failed for an unexpected reason; try again' }
}

/** The failure of a conversion that was accepted, and whose pair is gone since. */
export const notSupported = ({ from_format, to_format }: Pick<ConversionRow, 'from_format' | 'to_format'>) =>
  new ConversionFailure('CONVERSION_ERROR', `${from_format} to ${to_format} is not supported any more`)

/** The failure of a conversion whose result does not have the format that it should have. */
export const invalidResult = (to: string, cause?: unknown) =>
  new ConversionFailure('CONVERSION_ERROR', `The conversion did not produce a valid ${to.toUpperCase()} file`, {
    cause,
  })
