import type { Args, Engine, Job, Run } from '../contract.ts'
import { type HookOrigin, startHook } from '../hooks.ts'

/**
 * Calls a step's `convert`. Resolves to its answer after it and all the runs that it started have ended. Rejects with
 * what it throws or with the job's abort reason. An error in a timer or a detached promise of the hook stops its runs
 * and rejects with HookFault.
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
    // If the hook does not await a run, its rejection must not become an unhandled error of the service.
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
