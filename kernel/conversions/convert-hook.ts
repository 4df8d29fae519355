import type { Args, Engine, Job, Run } from '../contract.ts'
import { type HookOrigin, startHook } from '../hooks.ts'

/**
 * Calls a step's `convert` and resolves to its answer when it and all the runs that it started have ended. Rejects with
 * what it throws, with the job's abort reason, or with HookFault for an error that it causes in a timer or a promise of its own:
 * its runs are stopped then.
 *
 * @param run Runs an engine for the job, until the signal aborts.
 */
export async function callConvert<Answer>(
  convert: (job: Job, run: Run) => Promise<Answer>,
  job: Job,
  origin: HookOrigin,
  run: (job: Job, engine: Engine, args: Args, files: Parameters<Run>[2]) => Promise<string[]>,
): Promise<Answer> {
  const stray = new AbortController()
  const own: Job = { ...job, signal: AbortSignal.any([job.signal, stray.signal]) }
  const runs: Promise<unknown>[] = []
  const start: Run = (engine, args, files) => {
    const running = run(own, engine, args, files)
    // One that nobody waits for must not become an error of the service.
    runs.push(running.catch(() => {}))
    return running
  }
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(own.signal.reason)
  own.signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([
      startHook(
        origin,
        (fault) => stray.abort(fault),
        () => convert(own, start),
      ),
      stopped.promise,
    ])
  } catch (error) {
    stray.abort(error)
    throw error
  } finally {
    own.signal.removeEventListener('abort', stop)
    await Promise.all(runs)
  }
}
