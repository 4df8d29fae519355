import { ServiceError } from '../../errors.ts'

/** @param max Maximum number of pending conversions. @param shared Whether those of a network share it. */
export const ownQueueFull = (max: number, shared = false) =>
  new ServiceError(
    'QUEUE_FULL_USER',
    shared
      ? `Your network has ${max} pending conversions, the limit of its guests and unverified accounts; wait for one to end`
      : `You have ${max} pending conversions, which is the limit of your plan; wait for one to end`,
    { retryAfter: 5 },
  )

export const queueFull = () =>
  new ServiceError('QUEUE_FULL_GLOBAL', 'The queue is full; try again later', { retryAfter: 15 })

export const shuttingDown = () =>
  new ServiceError('SHUTTING_DOWN', 'The service is restarting; try again soon', { retryAfter: 5 })
