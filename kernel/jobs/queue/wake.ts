import type { Redis } from 'ioredis'

/** What BullMQ's scripts do when they hand a job to a worker. */
const WAKE = 'addBaseMarkerIfNeeded(markerKey, false)'

/** The second argument says that there is nothing to wake another worker for. */
const WAKE_FOR_A_JOB =
  'addBaseMarkerIfNeeded(markerKey, ' +
  'rcall("LLEN", keyPrefix .. "wait") == 0 and rcall("ZCARD", keyPrefix .. "prioritized") == 0)'

/**
 * Changes BullMQ's scripts on this connection: with a job that a worker takes, they wake another worker only if another
 * job waits. Otherwise each job also wakes a node that finds nothing. A job that is added wakes one in any case.
 *
 * @param redis A connection on which BullMQ has not defined its scripts yet.
 */
export function wakeForJobsOnly(redis: Redis): Redis {
  const define = redis.defineCommand.bind(redis)
  redis.defineCommand = (name, script) => define(name, { ...script, lua: script.lua.replace(WAKE, WAKE_FOR_A_JOB) })
  return redis
}
