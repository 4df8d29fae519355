import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'

/** The parts that work needs. */
export type Parts = Awaited<ReturnType<Kernel['health']>>['parts']

/** The refusal of a service that cannot take work. It names the parts that do not work. */
export function notReady(parts: Parts): ServiceError {
  const broken = Object.entries(parts).filter(([, part]) => !part.ok)
  const names = broken.map(([name, { detail }]) => (detail ? `${name} (${detail})` : name))
  return new ServiceError('NOT_READY', `Not ready: ${names.join(', ')}`, { retryAfter: 5 })
}
